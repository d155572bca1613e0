import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource, type EntityManager } from 'typeorm';
import { ERROR_CLASSES, type ErrorClass, TASK_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import { inOneSnapshot } from '../kernel/one-snapshot.js';
import type { Page } from '../kernel/page.js';
import { pageByName } from '../kernel/page-by-name.js';
import { lastPolledAt, unattended } from '../kernel/attendance.js';
import { oldestWaitingMs } from './oldest-waiting.js';
import type { QueueCounts } from './queue-stats.projection.js';

export interface Duration {
  readonly count: number;
  readonly total: number;
  readonly max: number;
}

export interface QueueStatsView {
  readonly queue: string;
  readonly counts: Readonly<Record<TaskStatus, number>>;
  readonly failuresByClass: Readonly<Record<ErrorClass, number>>;
  /** From the time that a task could be claimed until it was, over all claims. */
  readonly waitingMs: Duration;
  /** From the claim to the end of the attempt, over all attempts. */
  readonly runningMs: Duration;
  /** Covers the tasks that a worker could take now. Read from the dispatch index, so it is newer than the counts. */
  readonly oldestWaitingMs: number | null;
  /** When a worker last asked for tasks of the queue, up to a few seconds late; null if none has for a day. */
  readonly lastPolledAt: string | null;
  /** Whether ready tasks wait although for a minute no worker has asked for them or run a task of the queue. */
  readonly unattended: boolean;
  /** The position up to which the counts reflect the log. */
  readonly asOfPosition: string;
}

export interface QueueStatsDetails extends QueueStatsView {
  /** The tasks that are failed now, by the class of their error. As new as the log. */
  readonly failedByClass: Readonly<Record<ErrorClass, number>>;
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
      return row ? { ...viewOf(row), failedByClass: await failedByClass(db, queue) } : null;
    });
  }
}

async function failedByClass(db: EntityManager, queue: string): Promise<Record<ErrorClass, number>> {
  const rows = await db.query<{ name: ErrorClass; tasks: number }[]>(
    `select error_class as name, count(*)::float8 as tasks from known_tasks
     where queue = $1 and failed_at is not null and state = 'failed' group by 1`,
    [queue],
  );
  const tasks = new Map(rows.map((row) => [row.name, row.tasks]));
  return record(ERROR_CLASSES, (name) => tasks.get(name) ?? 0);
}

export type QueueStatsPage = Page<QueueStatsView>;

/** The counts of every queue, by name. Throws `InvalidCursor`. */
export class ListQueueStats extends Query<QueueStatsPage> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListQueueStats)
export class ListQueueStatsHandler implements IQueryHandler<ListQueueStats> {
  constructor(private readonly db: DataSource) {}

  async execute(asked: ListQueueStats): Promise<QueueStatsPage> {
    const rowsAfter = async (name: string, take: number) => ({
      rows: await this.db.query<Row[]>(`${STATS} and q.name > $1 order by q.name limit $2`, [name, take]),
    });
    const nameOf = ({ queue }: Row): string => queue;
    const { items, nextCursor } = await pageByName(asked, { list: 'queue-stats', rowsAfter, nameOf });
    return { items: items.map(viewOf), nextCursor };
  }
}

interface Row {
  readonly queue: string;
  /** Null if nothing has been counted yet. */
  readonly counted: Readonly<Record<QueueCounts, number>> | null;
  readonly oldestWaitingMs: number | null;
  readonly lastPolledAt: Date | null;
  readonly unattended: boolean;
  readonly asOfPosition: string;
}

/** Reads counts and checkpoint in one statement, so that they are of the same moment. */
const STATS = `
select q.name as queue, to_jsonb(s) as counted, ${oldestWaitingMs('q.name')} as "oldestWaitingMs",
       ${lastPolledAt('q.name')} as "lastPolledAt", ${unattended('q')} as unattended,
       coalesce((select position::text from projection_checkpoints where name = 'queue-stats' and slot = 'live'), '0')
         as "asOfPosition"
from queues q left join queue_stats s on s.queue = q.name
where q.status <> 'deleted'`;

function viewOf({
  queue,
  counted,
  oldestWaitingMs: oldest,
  lastPolledAt: polledAt,
  unattended: alone,
  asOfPosition,
}: Row): QueueStatsView {
  const count = (column: QueueCounts): number => counted?.[column] ?? 0;
  return {
    queue,
    counts: record(TASK_STATUSES, (state) => count(state)),
    failuresByClass: record(ERROR_CLASSES, (name) => count(`failures_${name}`)),
    waitingMs: { count: count('waited_count'), total: count('waited_total_ms'), max: count('waited_max_ms') },
    runningMs: { count: count('ran_count'), total: count('ran_total_ms'), max: count('ran_max_ms') },
    oldestWaitingMs: oldest,
    lastPolledAt: polledAt?.toISOString() ?? null,
    unattended: alone,
    asOfPosition,
  };
}

const record = <K extends string>(names: readonly K[], valueOf: (name: K) => number): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, number>;
