import type { Pace } from '../../application/kernel/live-log.port.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { Checkpoint } from './checkpoint.js';

/** What a follower does with the events of the log. */
export interface Consumer extends Pace {
  readonly name: string;
  readonly version: number;

  /**
   * Applies the events of `segments` and moves the checkpoint past them. Throws `PoisonEvent` for an event that it
   * cannot apply, after it has applied those before it and moved the checkpoint there. Throws `CheckpointMoved` if
   * another process overtook it. After any other error the caller may try again.
   */
  consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint>;

  /** Brings the rows of an older version up to this version. */
  upgrade(signal: AbortSignal): Promise<void>;

  /** Called when the follower ends its term, for what the consumer has put off. */
  ended?(): Promise<void>;
}
