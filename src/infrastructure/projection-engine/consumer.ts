import type { LogSegment } from '../../application/kernel/log-segment.js';
import type { Checkpoint } from './checkpoint.js';

/** What a follower does with the events of the log. */
export interface Consumer {
  readonly name: string;
  readonly version: number;

  /**
   * Applies the events of `segments` and moves the checkpoint past them. Throws `PoisonEvent` for an event that it
   * cannot apply, after it has applied those before it and moved the checkpoint there. Throws `CheckpointMoved` if
   * another process overtook it. After any other error the caller may try again.
   */
  consume(segments: readonly LogSegment[], from: Checkpoint): Promise<Checkpoint>;

  /** How many milliseconds its follower rests after so many events. Those that arrive meanwhile cost one round together. */
  restAfter(events: number): number;

  /** Brings the rows of an older version up to this version. */
  upgrade(signal: AbortSignal): Promise<void>;
}
