import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';

export { StreamContentionError } from './stream-command.js';
export { EventStoreUnavailable } from './event-store.port.js';

/** Why the application itself refuses, before any decider is asked. */
export type ApplicationRejection =
  /** The key was used before, with another request. */
  | { readonly code: 'IDEMPOTENCY_KEY_REUSED' }
  /** The claim id was used before, for another queue or by another worker. */
  | { readonly code: 'CLAIM_ID_REUSED' }
  /** The store does not take so many bytes of events as one. */
  | { readonly code: 'TRANSACTION_TOO_LARGE'; readonly bytes: number; readonly limit: number }
  /** The same of one command's. */
  | { readonly code: 'EVENT_TOO_LARGE'; readonly bytes: number; readonly limit: number }
  /** The item's stream or its queue changed too often meanwhile. Nothing was recorded for it; the caller should try again later. */
  | { readonly code: 'CONTENTION' };

export type Rejection = TaskRejection | QueueRejection | ApplicationRejection;

/** An expected refusal of a command on one stream. Batches return the rejection per item instead. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly rejection: Rejection,
    /** Which command of a transaction was refused, from 0. */
    readonly index: number | null = null,
  ) {
    super(rejection.code);
  }
}
