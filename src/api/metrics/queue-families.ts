import { ERROR_CLASSES, TASK_STATUSES } from '../../domain/task/task.events.js';
import { QUEUE_STATUSES, type QueueSummary } from '../../projections/queue-stats/queue-summaries.query.js';
import { BOUNDS_MS, bucketsOf } from '../../projections/queue-stats/queue-stats.projection.js';
import type { Family } from './families.js';
import type { Distribution, HistogramFamily } from './histogram-families.js';

const seconds = (ms: number): number => ms / 1_000;

export interface LabelledQueue extends QueueSummary {
  readonly of: Readonly<Record<string, string>>;
}

/** The service's own queues have a label of their own, so that alerts and sums can leave them out. */
export const labelled = (summary: QueueSummary): LabelledQueue => ({
  ...summary,
  of: { queue: summary.queue, ...(summary.internal && { internal: 'true' }) },
});

/**
 * The metrics of each queue, as of the read model `queue-stats`, except the age of the oldest task, which is current.
 */
export const QUEUE_FAMILIES: readonly Family<LabelledQueue>[] = [
  {
    kind: 'gauge',
    name: 'waybill_tasks',
    help: 'Tasks by state, including final states.',
    samples: ({ of, stats }) => TASK_STATUSES.map((state) => [{ ...of, state }, stats[state]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_oldest_ready_age_seconds',
    help: 'How long the longest waiting task has waited that a worker could claim now; 0 if none waits.',
    samples: ({ of, oldestWaitingMs }) => [[of, seconds(oldestWaitingMs ?? 0)]],
  },
  {
    kind: 'gauge',
    name: 'waybill_longest_run_seconds',
    help: 'How long the longest running attempt has run; 0 if none runs.',
    samples: ({ of, longestRunMs }) => [[of, seconds(longestRunMs ?? 0)]],
  },
  {
    kind: 'gauge',
    name: 'waybill_overdue_tasks',
    help: 'Open tasks whose deadline has passed.',
    samples: ({ of, overdue }) => [[of, overdue]],
  },
  {
    kind: 'counter',
    name: 'waybill_deadlines_missed_total',
    help: 'Tasks that were not done at their deadline.',
    samples: ({ of, stats }) => [[of, stats.deadlines_missed]],
  },
  {
    kind: 'gauge',
    name: 'waybill_queue_unattended',
    help: '1 if tasks wait but for a minute no worker has claimed at their step, or none knows their kind; 0 otherwise.',
    samples: ({ of, unattended }) => [[of, unattended]],
  },
  {
    kind: 'gauge',
    name: 'waybill_unmet_needs',
    help: 'Different needs of ready tasks that no worker has offered for a minute.',
    samples: ({ of, unmetNeeds }) => [[of, unmetNeeds]],
  },
  {
    kind: 'gauge',
    name: 'waybill_limited_tasks',
    help: 'Tasks that wait for a limit of their queue or of their value of its label: of what runs, or the rate of what starts. Counted up to 10,000.',
    samples: ({ of, limited }) => (['running', 'rate'] as const).map((limit) => [{ ...of, limit }, limited[limit]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_waiting_handlers',
    help: 'Tasks whose handlers wait for a signal, or for a time alone. Counted up to 10,000.',
    samples: ({ of, waits }) => (['signal', 'time'] as const).map((what) => [{ ...of, for: what }, waits[what]]),
  },
  {
    kind: 'counter',
    name: 'waybill_claims_total',
    help: 'Tasks claimed.',
    samples: ({ of, stats }) => [[of, stats.waited_count]],
  },
  {
    kind: 'counter',
    name: 'waybill_wait_seconds_total',
    help: 'Total time that the claimed tasks had waited since they could be claimed.',
    samples: ({ of, stats }) => [[of, seconds(stats.waited_total_ms)]],
  },
  {
    kind: 'counter',
    name: 'waybill_attempts_total',
    help: 'Attempts that ended, with any outcome.',
    samples: ({ of, stats }) => [[of, stats.ran_count]],
  },
  {
    kind: 'counter',
    name: 'waybill_run_seconds_total',
    help: 'Total time that the ended attempts took.',
    samples: ({ of, stats }) => [[of, seconds(stats.ran_total_ms)]],
  },
  {
    kind: 'counter',
    name: 'waybill_attempt_failures_total',
    help: 'Attempts that failed, by class of error, with those that took too long (timeout); and tasks that waited too long (expired).',
    samples: ({ of, stats }) => ERROR_CLASSES.map((name) => [{ ...of, class: name }, stats[`failures_${name}`]]),
  },
  {
    kind: 'counter',
    name: 'waybill_unheard_losses_total',
    help: 'Lost attempts for which no heartbeat came since the claim. The failures of class lost count them too.',
    samples: ({ of, stats }) => [[of, stats.losses_unheard]],
  },
  {
    kind: 'gauge',
    name: 'waybill_queue_state',
    help: '1 for the state that the queue is in, 0 for the others.',
    samples: ({ of, statuses }) => QUEUE_STATUSES.map((state) => [{ ...of, state }, statuses[state]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_queue_intake_open',
    help: '1 if the queue accepts tasks, 0 if its intake is closed.',
    samples: ({ of, open }) => [[of, open]],
  },
  {
    kind: 'gauge',
    name: 'waybill_archived_tasks',
    help: 'Tasks in the archive, which are also counted by their states.',
    samples: ({ of, archived }) => [[of, archived]],
  },
  {
    kind: 'gauge',
    name: 'waybill_last_archiving_age_seconds',
    help: 'Seconds since the tasks of a queue with a retention were last looked through; absent without a retention.',
    samples: ({ of, archivingAgeSeconds: age }) => (age === null ? [] : [[of, age]]),
  },
  {
    kind: 'gauge',
    name: 'waybill_values_waiting',
    help: 'Values of the label of fair shares that have ready tasks, counted up to 1,000; absent without fair shares.',
    samples: ({ of, valuesWaiting: values }) => (values === null ? [] : [[of, values]]),
  },
];

const distributionOf = (stats: QueueSummary['stats'], durations: 'waited' | 'ran'): Distribution => ({
  buckets: bucketsOf(durations).map((bucket, at) => [seconds(BOUNDS_MS[at]!), stats[bucket]]),
  count: stats[`${durations}_count`],
  sum: seconds(stats[`${durations}_total_ms`]),
});

/** How long tasks of each queue waited and ran, as of the read model `queue-stats`. */
export const QUEUE_HISTOGRAMS: readonly HistogramFamily<LabelledQueue>[] = [
  {
    name: 'waybill_task_wait_seconds',
    help: 'How long the claimed tasks had waited since they could be claimed.',
    of: ({ of, stats }) => [of, distributionOf(stats, 'waited')],
  },
  {
    name: 'waybill_attempt_seconds',
    help: 'How long the ended attempts took.',
    of: ({ of, stats }) => [of, distributionOf(stats, 'ran')],
  },
];
