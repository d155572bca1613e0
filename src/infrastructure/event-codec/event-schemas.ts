import type { ConsumerEventType } from '../../domain/queue-consumer/consumer.events.js';
import type { QueueEventType } from '../../domain/queue/queue.events.js';
import type { TaskEventType } from '../../domain/task/task.events.js';
import { EventCodec, type EventSchema } from './event-codec.js';
import type { TransactionEventType } from '../eventstoredb/transaction.events.js';

type EventType = TaskEventType | QueueEventType | ConsumerEventType | TransactionEventType;

/** Every event type with the version written today; a type without a line does not compile. */
const SCHEMAS: Readonly<Record<EventType, EventSchema>> = {
  TaskPrepared: { version: 1 },
  TaskEnqueued: { version: 1 },
  TaskEnqueueRejected: { version: 1 },
  TaskSubmitted: { version: 1 },
  TaskHeld: { version: 1 },
  TaskReleased: { version: 1 },
  TaskClaimed: { version: 1 },
  TaskStepCompleted: { version: 1 },
  TaskErrorReported: { version: 1 },
  TaskAttemptFailed: { version: 1 },
  TaskRetryScheduled: { version: 1 },
  TaskDecisionRequested: { version: 1 },
  TaskFailed: { version: 1 },
  TaskRetried: { version: 1 },
  TaskSucceeded: { version: 1 },
  TaskLeaseExpired: { version: 1 },
  TaskReturned: { version: 1 },
  TaskCancelRequested: { version: 1 },
  TaskCancelConfirmed: { version: 1 },
  TaskCancelled: { version: 1 },
  TaskAborted: { version: 1 },
  TaskSuperseded: { version: 1 },
  TaskReprioritised: { version: 1 },
  TaskRescheduled: { version: 1 },
  TaskPayloadAmended: { version: 1 },
  TaskDeleted: { version: 1 },
  TaskOverruled: { version: 1 },
  TaskReservationAbandoned: { version: 1 },
  QueueDefined: { version: 1 },
  QueuePolicyChanged: { version: 1 },
  QueuePaused: { version: 1 },
  QueueResumed: { version: 1 },
  QueueIntakeClosed: { version: 1 },
  QueueIntakeOpened: { version: 1 },
  QueueFinished: { version: 1 },
  QueueReopened: { version: 1 },
  QueueWaiting: { version: 1 },
  QueueActivated: { version: 1 },
  QueueDeleted: { version: 1 },
  QueueTaken: { version: 1 },
  QueueTakenOver: { version: 1 },
  QueueAnomalyFound: { version: 1 },
  QueueLateReportRefused: { version: 1 },
  QueueReservationAbandoned: { version: 1 },
  TransactionCommitted: { version: 1 },
  TransactionAbandoned: { version: 1 },
};

export const eventCodec = new EventCodec(new Map(Object.entries(SCHEMAS)));
