import {
  TASK_EVENT_TYPES,
  type ErrorClass,
  type TaskEvent,
  type TaskEventType,
} from '../../domain/task/task.events.js';
import { type Occurrence, type Projection, sameRule } from '../kernel/projection.js';
import { increment, type RowChange } from '../kernel/row-change.js';
import type { Table } from '../kernel/table.js';
import { stateMove } from '../kernel/state-move.js';
import { binOf, BINS } from './histogram.js';

type Durations = 'waited' | 'ran';
export type Counted =
  | 'enqueued'
  | 'claimed'
  | 'succeeded'
  | `failed_${ErrorClass}`
  | 'retried'
  | 'lost'
  | 'backlog'
  | `${Durations}_total_ms`
  | `${Durations}_max_ms`
  | `${Durations}_${number}`;

export const binsOf = (durations: Durations): readonly `${Durations}_${number}`[] =>
  Array.from({ length: BINS }, (_, bin) => `${durations}_${bin}` as const);

const WAITED = binsOf('waited');
const RAN = binsOf('ran');

const COLUMNS = {
  enqueued: 'int',
  claimed: 'int',
  succeeded: 'int',
  failed_business: 'int',
  failed_application: 'int',
  failed_transient: 'int',
  failed_bug: 'int',
  failed_lost: 'int',
  failed_timeout: 'int',
  failed_expired: 'int',
  retried: 'int',
  lost: 'int',
  backlog: 'int',
  waited_total_ms: 'bigint',
  waited_max_ms: 'bigint',
  ran_total_ms: 'bigint',
  ran_max_ms: 'bigint',
  ...(Object.fromEntries([...WAITED, ...RAN].map((bin) => [bin, 'int'])) as Record<`${Durations}_${number}`, 'int'>),
} as const;

type HistoryTable = Table<'queue' | 'at', Counted>;
const KEY = { queue: 'text', at: 'timestamptz' } as const;
const minutes: HistoryTable = { name: 'queue_minutes', key: KEY, columns: COLUMNS };
const hours: HistoryTable = { name: 'queue_hours', key: KEY, columns: COLUMNS };

/**
 * What happened in each queue in every minute and in every hour. `failed` counts the tasks that became failed, `backlog`
 * is by how much the number of pending tasks grew, and `ran` covers the tasks that succeeded or failed.
 */
export const queueHistory: Projection<TaskEventType> = {
  name: 'queue-history',
  version: 1,
  needsPrivate: false,
  tables: [minutes, hours],
  project: sameRule(TASK_EVENT_TYPES, countsOf),
};

type Counts = { -readonly [C in Counted]?: number };

/** Texts of times are cut, because making a `Date` for each event cost more than the rest. */
function countsOf({ event, recordedAt }: Occurrence<TaskEvent>): readonly RowChange[] {
  const by = { add: {} as Counts, greatest: {} as Counts };
  countBacklog(event, by.add);
  countEvent(event, by.add, by.greatest);
  if (isEmpty(by.add)) return [];
  const { queue } = event.data;
  return [
    increment(minutes, { queue, at: `${recordedAt.slice(0, 16)}Z` }, by),
    increment(hours, { queue, at: `${recordedAt.slice(0, 13)}:00Z` }, by),
  ];
}

function countBacklog(event: TaskEvent, add: Counts): void {
  const move = stateMove(event);
  if (move?.to === 'pending') add.backlog = 1;
  else if (move?.from === 'pending') add.backlog = -1;
}

function countEvent(event: TaskEvent, add: Counts, greatest: Counts): void {
  switch (event.type) {
    case 'TaskEnqueued':
    case 'TaskSubmitted':
      add.enqueued = 1;
      return;
    case 'TaskClaimed':
      add.claimed = 1;
      return countDuration('waited', WAITED, event.data.waitedMs, add, greatest);
    case 'TaskSucceeded':
      add.succeeded = 1;
      return countDuration('ran', RAN, event.data.ranMs, add, greatest);
    case 'TaskFailed':
    case 'TaskEnqueueRejected':
      add[`failed_${event.data.error.class}`] = 1;
      if (event.type === 'TaskFailed') countDuration('ran', RAN, event.data.ranMs, add, greatest);
      return;
    case 'TaskOverruled':
      return countOverruled(event.data, add, greatest);
    case 'TaskRetryScheduled':
    case 'TaskRetried':
      add.retried = 1;
      return;
    case 'TaskLeaseExpired':
      add.lost = 1;
  }
}

type Overruled = Extract<TaskEvent, { type: 'TaskOverruled' }>['data'];

function countOverruled(overruled: Overruled, add: Counts, greatest: Counts): void {
  const { verdict, ranMs, class: errorClass = 'application' } = overruled;
  if (verdict === 'requeue') return;
  if (verdict === 'succeed') add.succeeded = 1;
  else add[`failed_${errorClass}`] = 1;
  countDuration('ran', RAN, ranMs, add, greatest);
}

/** A failure that ended no attempt has no duration. */
function countDuration(
  what: Durations,
  bins: typeof WAITED,
  ms: number | undefined,
  add: Counts,
  greatest: Counts,
): void {
  if (ms === undefined) return;
  add[bins[binOf(ms)]!] = 1;
  add[`${what}_total_ms`] = greatest[`${what}_max_ms`] = ms;
}

function isEmpty(counts: Counts): boolean {
  for (const _ in counts) return false;
  return true;
}
