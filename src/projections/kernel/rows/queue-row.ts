import { eventsWith } from '../../../domain/events.js';
import type { QueueEvent } from '../../../domain/queue/queue.events.js';
import { type QueuePolicy, wholePolicy } from '../../../domain/queue/queue.policy.js';
import type { Row } from '../row.js';

const ENDS_FAILURE_STREAK = eventsWith('ends-failure-streak');

/** Its id follows from its name. */
export const queueRow = (events: readonly QueueEvent[]): Row =>
  Object.assign({ name: events[0]!.data.queue }, ...events.map(columnsOf)) as Row;

const columnsOf = (event: QueueEvent): Row =>
  ENDS_FAILURE_STREAK.has(event.type) ? { ...queueColumns(event), ...NO_FAILURES } : queueColumns(event);

const NOT_PAUSED = { pause_by: null, pause_reason: null, pause_until: null, pause_failure: null };
const NO_FAILURES = { failure_streak: 0, failure_task: null };
const INTAKE_OPEN = { intake_open: true, intake_by: null, intake_reason: null };

function queueColumns(event: QueueEvent): Row {
  switch (event.type) {
    case 'QueueDefined':
      return { ...policyColumns(event.data), status: 'active', ...NOT_PAUSED, ...INTAKE_OPEN };
    case 'QueuePolicyChanged':
      return policyColumns(event.data);
    case 'QueuePaused': {
      const { by, reason, until, failure = null } = event.data;
      return { status: 'paused', pause_by: by, pause_reason: reason, pause_until: until, pause_failure: failure };
    }
    case 'QueueIntakeClosed':
      return { intake_open: false, intake_by: event.data.by, intake_reason: event.data.reason };
    case 'QueueIntakeOpened':
      return INTAKE_OPEN;
    case 'QueueResumed':
    case 'QueueReopened':
      return { status: 'active', ...NOT_PAUSED };
    case 'QueueActivated':
      return { status: 'active' };
    case 'QueueWaiting':
      return { status: 'waiting' };
    case 'QueueFinished':
      return { status: 'finished', ...NOT_PAUSED };
    case 'QueueDeleted':
      return { status: 'deleted', ...NOT_PAUSED };
    case 'QueueReservationAbandoned':
      return {};
  }
}

const policyColumns = (data: { description: string; policy: QueuePolicy; policyVersion: number }): Row => ({
  description: data.description,
  policy: wholePolicy(data.policy),
  policy_version: data.policyVersion,
});
