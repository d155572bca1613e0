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
    help: 'Tasks by state, including final states.',
    samples: ({ queue, stats }) => TASK_STATUSES.map((state) => [{ queue, state }, stats[state]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_oldest_ready_age_seconds',
    help: 'How long the longest waiting task has waited that a worker could claim now; 0 if none waits.',
    samples: ({ queue, oldestWaitingMs }) => [[{ queue }, seconds(oldestWaitingMs ?? 0)]],
  },
  {
    kind: 'gauge',
    name: 'waybill_longest_run_seconds',
    help: 'How long the longest running attempt has run; 0 if none runs.',
    samples: ({ queue, longestRunMs }) => [[{ queue }, seconds(longestRunMs ?? 0)]],
  },
  {
    kind: 'gauge',
    name: 'waybill_overdue_tasks',
    help: 'Open tasks whose deadline has passed.',
    samples: ({ queue, overdue }) => [[{ queue }, overdue]],
  },
  {
    kind: 'counter',
    name: 'waybill_deadlines_missed_total',
    help: 'Tasks that were not done at their deadline.',
    samples: ({ queue, stats }) => [[{ queue }, stats.deadlines_missed]],
  },
  {
    kind: 'gauge',
    name: 'waybill_queue_unattended',
    help: '1 if tasks wait but for a minute no worker has claimed at their step, or none knows their kind; 0 otherwise.',
    samples: ({ queue, unattended }) => [[{ queue }, unattended]],
  },
  {
    kind: 'counter',
    name: 'waybill_claims_total',
    help: 'Tasks claimed.',
    samples: ({ queue, stats }) => [[{ queue }, stats.waited_count]],
  },
  {
    kind: 'counter',
    name: 'waybill_wait_seconds_total',
    help: 'Total time that the claimed tasks had waited since they could be claimed.',
    samples: ({ queue, stats }) => [[{ queue }, seconds(stats.waited_total_ms)]],
  },
  {
    kind: 'counter',
    name: 'waybill_attempts_total',
    help: 'Attempts that ended, with any outcome.',
    samples: ({ queue, stats }) => [[{ queue }, stats.ran_count]],
  },
  {
    kind: 'counter',
    name: 'waybill_run_seconds_total',
    help: 'Total time that the ended attempts took.',
    samples: ({ queue, stats }) => [[{ queue }, seconds(stats.ran_total_ms)]],
  },
  {
    kind: 'counter',
    name: 'waybill_attempt_failures_total',
    help: 'Attempts that failed, by class of error, with those that took too long (timeout); and tasks that waited too long (expired).',
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
    help: '1 if the queue accepts tasks, 0 if its intake is closed.',
    samples: ({ queue, open }) => [[{ queue }, open]],
  },
  {
    kind: 'gauge',
    name: 'waybill_archived_tasks',
    help: 'Tasks in the archive, which are also counted by their states.',
    samples: ({ queue, archived }) => [[{ queue }, archived]],
  },
  {
    kind: 'gauge',
    name: 'waybill_last_archiving_age_seconds',
    help: 'Seconds since the tasks of a queue with a retention were last looked through; absent without a retention.',
    samples: ({ queue, archivingAgeSeconds: age }) => (age === null ? [] : [[{ queue }, age]]),
  },
];
