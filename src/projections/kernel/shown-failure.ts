import type { QueueFailure } from '../../domain/queue/queue.events.js';

/** The failure that paused a queue, with what its task says of it now. */
export interface ShownFailure extends QueueFailure {
  /** The newest error of the task; null once it is retried, or if it is erased. */
  readonly message: string | null;
}
