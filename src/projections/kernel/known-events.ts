import type { ConsumerEvent } from '../../domain/queue-consumer/consumer.events.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import type { TaskEvent } from '../../domain/task/task.events.js';

export type KnownEvent = TaskEvent | QueueEvent | ConsumerEvent;
export type KnownEventType = KnownEvent['type'];
export type EventOf<T extends KnownEventType> = Extract<KnownEvent, { readonly type: T }>;

type Versions = { readonly [T in KnownEventType]: EventOf<T>['version'] };

/** The version of each event that this program reads. An event without a row here does not compile. */
export const KNOWN_VERSIONS: Versions = {
  TaskPrepared: 1,
  TaskEnqueued: 1,
  TaskEnqueueRejected: 1,
  TaskSubmitted: 1,
  TaskHeld: 1,
  TaskReleased: 1,
  TaskClaimed: 1,
  TaskStepCompleted: 1,
  TaskErrorReported: 1,
  TaskAttemptFailed: 1,
  TaskRetryScheduled: 1,
  TaskDecisionRequested: 1,
  TaskFailed: 1,
  TaskRetried: 1,
  TaskSucceeded: 1,
  TaskLeaseExpired: 1,
  TaskReturned: 1,
  TaskCancelRequested: 1,
  TaskCancelConfirmed: 1,
  TaskCancelled: 1,
  TaskAborted: 1,
  TaskSuperseded: 1,
  TaskReprioritised: 1,
  TaskRescheduled: 1,
  TaskPayloadAmended: 1,
  TaskDeleted: 1,
  TaskOverruled: 1,
  TaskReservationAbandoned: 1,
  QueueDefined: 1,
  QueuePolicyChanged: 1,
  QueuePaused: 1,
  QueueResumed: 1,
  QueueIntakeClosed: 1,
  QueueIntakeOpened: 1,
  QueueFinished: 1,
  QueueReopened: 1,
  QueueWaiting: 1,
  QueueActivated: 1,
  QueueDeleted: 1,
  QueueTaken: 1,
  QueueTakenOver: 1,
  QueueAnomalyFound: 1,
  QueueLateReportRefused: 1,
  QueueReservationAbandoned: 1,
};

/** Throws unless this program knows the event's type and version: an older one must not guess at what a newer one meant. */
export function assertKnown(event: { readonly type: string; readonly version: number }): asserts event is KnownEvent {
  const known = (KNOWN_VERSIONS as Readonly<Record<string, number>>)[event.type];
  if (known === event.version) return;
  const reason = known === undefined ? 'no such type is known' : `version ${known} is the one that is known`;
  throw new Error(`Expected to project '${event.type}' version ${event.version}, but ${reason}`);
}
