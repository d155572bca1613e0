import { ERROR_CLASSES, TASK_STATUSES } from '../../domain/task/task.events.js';
import { QUEUE_STATUSES, type QueueSummary } from '../../projections/queue-stats/queue-summaries.query.js';
import type { Family } from './families.js';

const seconds = (ms: number): number => ms / 1_000;

/**
 * The metrics of each queue, as of the read model `queue-stats`, except the age of the oldest task, which is current.
 */
export const QUEUE_FAMILIES: readonly Family<QueueSummary>[] = [
  {
    kind: 'gauge',
    name: 'waybill_tasks',
    help: 'Tasks in each state, final ones included.',
    samples: ({ queue, stats }) => TASK_STATUSES.map((state) => [{ queue, state }, stats[state]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_oldest_ready_age_seconds',
    help: 'For how long the longest waiting of the tasks waits that a worker could take now; 0 where none waits.',
    samples: ({ queue, oldestWaitingMs }) => [[{ queue }, seconds(oldestWaitingMs ?? 0)]],
  },
  {
    kind: 'gauge',
    name: 'waybill_queue_unattended',
    help: '1 where tasks wait that could be claimed, and for a minute no worker has asked for them or worked here; 0 otherwise.',
    samples: ({ queue, unattended }) => [[{ queue }, unattended]],
  },
  {
    kind: 'counter',
    name: 'waybill_claims_total',
    help: 'Claims of tasks.',
    samples: ({ queue, stats }) => [[{ queue }, stats.waited_count]],
  },
  {
    kind: 'counter',
    name: 'waybill_wait_seconds_total',
    help: 'What the claimed tasks had waited since they could be claimed, together.',
    samples: ({ queue, stats }) => [[{ queue }, seconds(stats.waited_total_ms)]],
  },
  {
    kind: 'counter',
    name: 'waybill_attempts_total',
    help: 'Attempts that ended, however they did.',
    samples: ({ queue, stats }) => [[{ queue }, stats.ran_count]],
  },
  {
    kind: 'counter',
    name: 'waybill_run_seconds_total',
    help: 'What the attempts that ended had taken, together.',
    samples: ({ queue, stats }) => [[{ queue }, seconds(stats.ran_total_ms)]],
  },
  {
    kind: 'counter',
    name: 'waybill_attempt_failures_total',
    help: 'Attempts that failed, by class of error.',
    samples: ({ queue, stats }) => ERROR_CLASSES.map((name) => [{ queue, class: name }, stats[`failures_${name}`]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_queue_state',
    help: '1 for the state that the queue is in, 0 for the others.',
    samples: ({ queue, statuses }) => QUEUE_STATUSES.map((state) => [{ queue, state }, statuses[state]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_queue_intake_open',
    help: '1 where the queue takes tasks, 0 where its intake is closed.',
    samples: ({ queue, open }) => [[{ queue }, open]],
  },
];
