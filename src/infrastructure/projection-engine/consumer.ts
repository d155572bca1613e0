import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import type { Checkpoint } from './checkpoint.js';

/** What a follower does with the log. */
export interface Consumer {
  readonly name: string;
  readonly version: number;

  /**
   * Takes `events` and moves the checkpoint past them. Throws `PoisonEvent` for an event it cannot take, after what came
   * before that event is done and the checkpoint says so; `CheckpointMoved` where it was overtaken; anything else may be tried again.
   */
  consume(events: readonly RecordedEvent[], from: Checkpoint): Promise<Checkpoint>;

  /** Brings what an older version left to this version. */
  upgrade(signal: AbortSignal): Promise<void>;
}
