import { eventsWith } from '../../domain/events.js';
import {
  TASK_EVENT_TYPES,
  type TaskEvent,
  type TaskEventOf,
  type TaskEventType,
} from '../../domain/task/task.events.js';
import { type Occurrence, type Projection, sameRule } from '../kernel/projection.js';
import { increment, type RowChange } from '../kernel/row-change.js';
import type { Table } from '../kernel/table.js';
import { failedClass } from '../kernel/failed-class.js';
import { stateMove, type StateMove } from '../kernel/state-move.js';

const MISSES_DEADLINE = eventsWith('misses-deadline');

/** The bounds of the histograms, in milliseconds, the same for ever. What is longer counts among all alone. */
export const BOUNDS_MS = [10, 50, 250, 1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000] as const;

type Durations = 'waited' | 'ran';
type Bucket<D extends Durations = Durations> = `${D}_upto_${(typeof BOUNDS_MS)[number]}`;

export const bucketsOf = <D extends Durations>(durations: D): readonly Bucket<D>[] =>
  BOUNDS_MS.map((bound) => `${durations}_upto_${bound}` as const);

const WAITED = bucketsOf('waited');
const RAN = bucketsOf('ran');

const COLUMNS = {
  prepared: 'bigint',
  pending: 'bigint',
  held: 'bigint',
  running: 'bigint',
  undecided: 'bigint',
  failed: 'bigint',
  succeeded: 'bigint',
  cancelled: 'bigint',
  aborted: 'bigint',
  superseded: 'bigint',
  deleted: 'bigint',
  failures_business: 'bigint',
  failures_application: 'bigint',
  failures_transient: 'bigint',
  failures_bug: 'bigint',
  failures_lost: 'bigint',
  failures_timeout: 'bigint',
  failures_expired: 'bigint',
  losses_unheard: 'bigint',
  deadlines_missed: 'bigint',
  waited_count: 'bigint',
  waited_total_ms: 'bigint',
  waited_max_ms: 'bigint',
  ran_count: 'bigint',
  ran_total_ms: 'bigint',
  ran_max_ms: 'bigint',
  done_count: 'bigint',
  done_total_ms: 'bigint',
  done_max_ms: 'bigint',
  ...(Object.fromEntries([...WAITED, ...RAN].map((bucket) => [bucket, 'bigint'])) as Record<Bucket, 'bigint'>),
} as const;

export type QueueCounts = keyof typeof COLUMNS;

export const queueStatsTable: Table<'queue', QueueCounts> = {
  name: 'queue_stats',
  key: { queue: 'text' },
  columns: COLUMNS,
};

type Counts = { -readonly [C in QueueCounts]?: number };

/**
 * Counts per queue: tasks in each state, failures by class, and how long tasks waited, attempts ran, and successful attempts
 * took (`done`); for waits and runs also how many were within which bounds.
 */
export const queueStats: Projection<TaskEventType> = {
  name: 'queue-stats',
  version: 1,
  needsPrivate: false,
  tables: [queueStatsTable],
  project: sameRule(TASK_EVENT_TYPES, countsOf),
};

function countsOf({ event }: Occurrence<TaskEvent>): readonly RowChange[] {
  const add: Counts = {};
  const greatest: Counts = {};
  countMove(stateMove(event), add);
  countTimes(event, add, greatest);
  const failed = failedClass(event);
  if (failed) add[`failures_${failed}`] = 1;
  if (event.type === 'TaskLeaseExpired' && event.data.unheard) add.losses_unheard = 1;
  if (MISSES_DEADLINE.has(event.type)) add.deadlines_missed = 1;
  return isEmpty(add) ? [] : [increment(queueStatsTable, { queue: event.data.queue }, { add, greatest })];
}

function countMove(move: StateMove | null, add: Counts): void {
  if (!move) return;
  add[move.to] = 1;
  if (move.from) add[move.from] = (add[move.from] ?? 0) - 1;
}

function countTimes(event: TaskEvent, add: Counts, greatest: Counts): void {
  switch (event.type) {
    case 'TaskClaimed':
      add.waited_count = 1;
      add.waited_total_ms = greatest.waited_max_ms = event.data.waitedMs;
      return countBucket(WAITED, event.data.waitedMs, add);
    case 'TaskSucceeded':
    case 'TaskAttemptFailed':
    case 'TaskLeaseExpired':
    case 'TaskCancelConfirmed':
    case 'TaskOverruled':
      add.ran_count = 1;
      add.ran_total_ms = greatest.ran_max_ms = event.data.ranMs;
      countBucket(RAN, event.data.ranMs, add);
  }
  if (!isSuccess(event)) return;
  add.done_count = 1;
  add.done_total_ms = greatest.done_max_ms = event.data.ranMs;
}

/** What is longer than the last bound is in none. */
function countBucket(buckets: readonly Bucket[], ms: number, add: Counts): void {
  const at = BOUNDS_MS.findIndex((bound) => ms <= bound);
  if (at >= 0) add[buckets[at]!] = 1;
}

const isSuccess = (event: TaskEvent): event is TaskEventOf<'TaskSucceeded' | 'TaskOverruled'> =>
  event.type === 'TaskSucceeded' || (event.type === 'TaskOverruled' && event.data.verdict === 'succeed');

const isEmpty = (counts: Counts): boolean => Object.keys(counts).length === 0;
