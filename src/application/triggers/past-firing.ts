import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { Json } from '../../domain/kernel/json.js';
import type { ServiceQueue } from '../queues/service-queues.js';
import type { ServiceTask } from '../service-tasks/service-tasks.js';

/** The tasks of this queue go through a part of the log for a trigger. One goes on where it stopped, so a failed attempt is worth a retry. */
export const PAST_FIRINGS: ServiceQueue = {
  name: 'waybill.past-events',
  description: 'Past events for triggers',
  policy: { onFailure: 'retry', maxLost: 100, retry: { maxAttempts: 20 } },
};

/** The payload of such a task: the events after one position, up to another. Decimal. */
export interface PastFiring {
  readonly trigger: string;
  readonly after: string;
  readonly upTo: string;
  /** A person ordered it, so it tells events once more. Otherwise the trigger begins with them. */
  readonly isReplay?: true;
}

/** A trigger that begins with the events after a position, and the event of its definition, up to which they are past. */
export interface PastOrder {
  readonly trigger: string;
  readonly after: string;
  readonly recorded: Pick<RecordedEvent, 'id' | 'position' | 'envelope'>;
}

export const pastTaskOf = (taskId: string, firing: PastFiring): ServiceTask => ({
  taskId,
  kind: 'begin',
  payload: firing as unknown as Json,
});
