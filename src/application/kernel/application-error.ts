import type { BatchRejection } from '../../domain/batch/batch.rejections.js';
import type { QueueRejection } from '../../domain/queue/queue.rejections.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { TaskRejection } from '../../domain/task/task.rejections.js';
import type { FailureGroupRejection } from '../../domain/failure-group/failure-group.rejections.js';
import type { HoldRejection } from '../../domain/hold/hold.rejections.js';
import type { NotaryRejection } from '../../domain/notary/notary.rejections.js';
import type { ResourceRejection } from '../../domain/resource/resource.rejections.js';
import type { TriggerRejection } from '../../domain/trigger/trigger.rejections.js';
import type { ViewRejection } from '../../domain/view/view.rejections.js';
import type { UnreadableStream } from './unreadable-stream.js';

export { StreamContentionError } from './stream-command.js';
export { EventStoreUnavailable } from './event-store.port.js';
export { UnreadableStream } from './unreadable-stream.js';

/** A refusal by the application, before a decider is asked. */
export type ApplicationRejection =
  /** The key was used before for another request. */
  | { readonly code: 'IDEMPOTENCY_KEY_REUSED' }
  /** The filter of a bulk operation matches no task, or none of those that it names exists. */
  | { readonly code: 'NO_TASK_MATCHES' }
  /** The store cannot forget. `because`: its events are in EventStoreDB, which never changes what it has. */
  | { readonly code: 'ERASURE_NOT_POSSIBLE'; readonly because: 'EventStoreDB' }
  /** A legal hold covers tasks of the subject: it was placed `by` somebody, with the `reason`. */
  | { readonly code: 'ERASURE_FORBIDDEN'; readonly hold: string; readonly by: string; readonly reason: string | null }
  /** The task has changed since the preview by which the operation was ordered. `position`: of its last event. */
  | { readonly code: 'CHANGED_SINCE_PREVIEW'; readonly position: string }
  /** Something changed the task after the operation that is undone: the first event since, of this type. */
  | { readonly code: 'CHANGED_SINCE_OPERATION'; readonly event: string; readonly position: string }
  /** Only an operation that has ended can be undone. */
  | { readonly code: 'OPERATION_UNDER_WAY'; readonly state: TaskStatus }
  /** The command of the operation has no opposite. */
  | { readonly code: 'OPERATION_NOT_UNDOABLE'; readonly kind: string }
  /** The claim id was used before, for another queue or by another worker. */
  | { readonly code: 'CLAIM_ID_REUSED' }
  /** As many tasks run for the holder of the API key as may. */
  | { readonly code: 'HOLDER_FULL'; readonly holder: string; readonly most: number; readonly running: number }
  /** The events of the transaction are larger than the store accepts. */
  | { readonly code: 'TRANSACTION_TOO_LARGE'; readonly bytes: number; readonly limit: number }
  /** Payloads of the queue are stored outside the log, and that store does not answer. The caller should try again later. */
  | { readonly code: 'PAYLOAD_STORE_UNAVAILABLE' }
  /** The events of the command are larger than the store accepts. */
  | { readonly code: 'EVENT_TOO_LARGE'; readonly bytes: number; readonly limit: number }
  /**
   * The item's stream or its queue changed too often meanwhile. Nothing was recorded for it; the caller should try
   * again later.
   */
  | { readonly code: 'CONTENTION' }
  /** The store went away, so nobody knows whether something was recorded. The caller should try again later. */
  | { readonly code: 'STORE_UNAVAILABLE' }
  /**
   * Too many requests of this kind wait in this process, or too many of this holder's. Nothing was done; the caller
   * should try again later.
   */
  | { readonly code: 'TOO_MANY_WAITING'; readonly waiting: number; readonly holder?: string }
  /** An unexpected error, which concerns this command of several. Nothing was recorded for it. */
  | { readonly code: 'COMMAND_FAILED' }
  /** This program cannot read the stream: it does not know an event, or the event is damaged. */
  | {
      readonly code: 'STREAM_UNREADABLE';
      readonly stream: string;
      /** Decimal; null if it is not known. */
      readonly position: string | null;
      readonly reason: string;
    };

export type Rejection =
  | TaskRejection
  | QueueRejection
  | BatchRejection
  | TriggerRejection
  | HoldRejection
  | FailureGroupRejection
  | ResourceRejection
  | NotaryRejection
  | ViewRejection
  | ApplicationRejection;

/** What to tell the caller about a stream that cannot be read. */
export const unreadable = ({ stream, position, reason }: UnreadableStream): ApplicationRejection => ({
  code: 'STREAM_UNREADABLE',
  stream,
  position: position === null ? null : String(position),
  reason,
});

/** An expected refusal of a command on one stream. Batches do not throw it but return a rejection per item. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    readonly rejection: Rejection,
    /** The index, from 0, of the refused command in its transaction. */
    readonly index: number | null = null,
  ) {
    super(rejection.code);
  }
}

/** While the system drains, nobody's new tasks are taken, so the same command may succeed later. */
export class NotTakenNow extends Error {
  override readonly name = 'NotTakenNow';
}
