import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager } from 'typeorm';
import { ERROR_CLASSES, type ErrorClass, TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { isReserved } from '../../domain/queue/reserved.policy.js';
import { type OfService, within } from '../kernel/internal-queues.js';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import type { Page } from '../kernel/page.js';
import { pageByName } from '../kernel/page-by-name.js';
import { lastPolledAt, unattended } from '../kernel/attendance.js';
import { oldestWaitingMs } from './oldest-waiting.js';
import { longestRunMs, overdueTasks } from './time-limits.js';
import type { QueueCounts } from './queue-stats.projection.js';

export interface Duration {
  readonly count: number;
  readonly total: number;
  readonly max: number;
}

export interface QueueStatsView {
  readonly queue: string;
  /** Whether it is one of the service's own queues. */
  readonly internal: boolean;
  readonly counts: Readonly<Record<TaskStatus, number>>;
  readonly failuresByClass: Readonly<Record<ErrorClass, number>>;
  /** From the time that a task could be claimed until it was, over all claims. */
  readonly waitingMs: Duration;
  /** From the claim to the end of the attempt, over all attempts. */
  readonly runningMs: Duration;
  /** Covers the tasks that a worker could take now. Read from the dispatch index, so it is newer than the counts. Null as of a moment. */
  readonly oldestWaitingMs: number | null;
  /** How long the longest running attempt has run. As new as the log. Null in lists as of a moment. */
  readonly longestRunMs: number | null;
  /** Open tasks whose deadline has passed. As new as the log. Null in lists as of a moment, and nowhere else. */
  readonly overdue: number | null;
  /** Tasks that were not done at their deadline. */
  readonly deadlinesMissed: number;
  /** Lost attempts for which no heartbeat came since the claim. `failuresByClass.lost` counts them too. */
  readonly unheardLosses: number;
  /** When a worker last asked for tasks of the queue, up to a few seconds late; null if none has for a day. */
  readonly lastPolledAt: string | null;
  /**
   * Whether tasks wait that nobody serves: for a minute no worker has asked for tasks at their step, or run a task of the
   * queue; or all have given their kind back as unknown.
   */
  readonly unattended: boolean;
  /** The position up to which the counts reflect the log. */
  readonly asOfPosition: string;
}

export interface QueueStatsDetails extends QueueStatsView {
  /** The tasks that are failed now, by the class of their error. As new as the log. */
  readonly failedByClass: Readonly<Record<ErrorClass, number>>;
  /**
   * Over the tasks that succeeded, and those that are failed now: from the last claim to the success or failure. A task that
   * failed without being claimed counts from its submission. Attempts that were followed by another do not count.
   */
  readonly processingMs: Duration;
}

/** Null if no queue has the name. */
export class GetQueueStats extends Query<QueueStatsDetails | null> {
  constructor(readonly queue: string) {
    super();
  }
}

@QueryHandler(GetQueueStats)
export class GetQueueStatsHandler implements IQueryHandler<GetQueueStats> {
  constructor(private readonly db: DataSource) {}

  execute({ queue }: GetQueueStats): Promise<QueueStatsDetails | null> {
    return inOneSnapshot(this.db, async (db) => {
      const [row] = await db.query<Row[]>(`${STATS} and q.name = $1`, [queue]);
      return row ? { ...viewOf(row), ...withFailures(row.counted, await failuresIn(db, queue)) } : null;
    });
  }
}

export interface Failures extends Duration {
  readonly name: ErrorClass;
}

/** The failed tasks of each class, and how long they took. Nothing that is done to them afterwards changes it. */
const FAILURES = `select error_class as name, count(*)::float8 as count, sum(ms)::float8 as total, max(ms)::float8 as max
  from (select error_class, greatest(0, round(extract(epoch from failed_at - coalesce(started_at, enqueued_at)) * 1000)) as ms
    from known_tasks where queue = $1 and failed_at is not null and state = 'failed') as failed group by 1`;

const failuresIn = (db: EntityManager, queue: string): Promise<readonly Failures[]> =>
  db.query<Failures[]>(FAILURES, [queue]);

export function withFailures(counted: Counted | null, failures: readonly Failures[]) {
  const tasks = new Map(failures.map(({ name, count }) => [name, count]));
  const done = durationIn(counted, 'done');
  return {
    failedByClass: record(ERROR_CLASSES, (name) => tasks.get(name) ?? 0),
    processingMs: {
      count: failures.reduce((sum, { count }) => sum + count, done.count),
      total: failures.reduce((sum, { total }) => sum + total, done.total),
      max: Math.max(done.max, ...failures.map(({ max }) => max)),
    },
  };
}

export type QueueStatsPage = Page<QueueStatsView>;

/** The counts of every queue, by name. Throws `InvalidCursor`. */
export class ListQueueStats extends Query<QueueStatsPage> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
    readonly filter: OfService = {},
  ) {
    super();
  }
}

@QueryHandler(ListQueueStats)
export class ListQueueStatsHandler implements IQueryHandler<ListQueueStats> {
  constructor(private readonly db: DataSource) {}

  async execute(asked: ListQueueStats): Promise<QueueStatsPage> {
    const { filter } = asked;
    const statement = `${STATS} and ${within('q.name', filter)} and q.name > $1 order by q.name limit $2`;
    const rowsAfter = async (name: string, take: number) => ({
      rows: await this.db.query<Row[]>(statement, [name, take]),
    });
    const nameOf = ({ queue }: Row): string => queue;
    const { items, nextCursor } = await pageByName(asked, { list: 'queue-stats', filter, rowsAfter, nameOf });
    return { items: items.map(viewOf), nextCursor };
  }
}

/** A row of the statistics; zero where a column is missing. */
export type Counted = Readonly<Partial<Record<QueueCounts, number>>>;

interface Row {
  readonly queue: string;
  /** Null if nothing has been counted yet. */
  readonly counted: Counted | null;
  readonly oldestWaitingMs: number | null;
  readonly longestRunMs: number | null;
  readonly overdue: number | null;
  readonly lastPolledAt: Date | null;
  readonly unattended: boolean;
  readonly asOfPosition: string;
}

/** Reads counts and checkpoint in one statement, so that they are of the same moment. */
const STATS = `
select q.name as queue, to_jsonb(s) as counted, ${oldestWaitingMs('q.name')} as "oldestWaitingMs",
       ${longestRunMs('q.name')} as "longestRunMs", ${overdueTasks('q.name')} as overdue,
       ${lastPolledAt('q.name')} as "lastPolledAt", ${unattended('q')} as unattended,
       coalesce((select position::text from projection_checkpoints where name = 'queue-stats' and slot = 'live'), '0')
         as "asOfPosition"
from queues q left join queue_stats s on s.queue = q.name
where q.status <> 'deleted'`;

export function viewOf({
  queue,
  counted,
  oldestWaitingMs: oldest,
  longestRunMs: longest,
  overdue,
  lastPolledAt: polledAt,
  unattended: alone,
  asOfPosition,
}: Row): QueueStatsView {
  const count = (column: QueueCounts): number => counted?.[column] ?? 0;
  return {
    queue,
    internal: isReserved(queue),
    counts: record(TASK_STATUSES, (state) => count(state)),
    failuresByClass: record(ERROR_CLASSES, (name) => count(`failures_${name}`)),
    waitingMs: durationIn(counted, 'waited'),
    runningMs: durationIn(counted, 'ran'),
    oldestWaitingMs: oldest,
    longestRunMs: longest,
    overdue,
    deadlinesMissed: count('deadlines_missed'),
    unheardLosses: count('losses_unheard'),
    lastPolledAt: polledAt?.toISOString() ?? null,
    unattended: alone,
    asOfPosition,
  };
}

const durationIn = (counted: Counted | null, what: 'waited' | 'ran' | 'done'): Duration => ({
  count: counted?.[`${what}_count`] ?? 0,
  total: counted?.[`${what}_total_ms`] ?? 0,
  max: counted?.[`${what}_max_ms`] ?? 0,
});

const record = <K extends string>(names: readonly K[], valueOf: (name: K) => number): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, number>;
