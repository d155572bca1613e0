import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { ERROR_CLASSES, type ErrorClass } from '../../domain/task/task.events.js';
import { CheckpointEntity } from '../kernel/checkpoint.entity.js';
import { oldestWaitingMs } from './oldest-waiting.js';
import { QueueStatsEntity } from './queue-stats.entity.js';
import { TASK_STATES, type TaskStateName } from './state-move.js';

export interface Duration {
  readonly count: number;
  readonly total: number;
  readonly max: number;
}

export interface QueueStatsView {
  readonly queue: string;
  readonly counts: Readonly<Record<TaskStateName, number>>;
  readonly failuresByClass: Readonly<Record<ErrorClass, number>>;
  /** From eligible to claimed, over all claims. */
  readonly waitingMs: Duration;
  /** From claim to its end, over all attempts that were begun. */
  readonly runningMs: Duration;
  /** Of the tasks that a worker could take now; from the dispatch index, so newer than the counts. */
  readonly oldestWaitingMs: number | null;
  /** The counts are those of the log up to here. */
  readonly asOfPosition: string;
}

/** Null where no queue has the name. */
export class GetQueueStats extends Query<QueueStatsView | null> {
  constructor(readonly queue: string) {
    super();
  }
}

@QueryHandler(GetQueueStats)
export class GetQueueStatsHandler implements IQueryHandler<GetQueueStats> {
  constructor(private readonly db: DataSource) {}

  async execute({ queue }: GetQueueStats): Promise<QueueStatsView | null> {
    const [counted, oldest] = await Promise.all([this.counted(queue), this.oldestWaitingMs(queue)]);
    if (!oldest) return null;
    return { ...viewOf(queue, counted.row), oldestWaitingMs: oldest.ms, asOfPosition: counted.position };
  }

  /** Counts and checkpoint in one statement, hence of one moment. */
  private async counted(queue: string): Promise<{ row: QueueStatsEntity | null; position: string }> {
    const checkpoint = await this.db
      .createQueryBuilder(CheckpointEntity, 'c')
      .leftJoinAndMapOne('c.counts', QueueStatsEntity, 's', 's.queue = :queue', { queue })
      .where(`c.name = 'queue-stats' and c.slot = 'live'`)
      .getOne();
    const { counts } = (checkpoint ?? {}) as { counts?: QueueStatsEntity | null };
    return { row: counts ?? null, position: checkpoint?.position ?? '0' };
  }

  /** Null where there is no such queue. */
  private async oldestWaitingMs(queue: string): Promise<{ ms: number | null } | null> {
    const rows = await this.db.query<{ ms: number | null }[]>(OLDEST_WAITING, [queue]);
    return rows[0] ?? null;
  }
}

const OLDEST_WAITING = `select ${oldestWaitingMs('q.name')} as ms from queues q where q.name = $1 and q.status <> 'deleted'`;

type Counted = Omit<QueueStatsView, 'oldestWaitingMs' | 'asOfPosition'>;

function viewOf(queue: string, row: QueueStatsEntity | null): Counted {
  const count = (column: Exclude<keyof QueueStatsEntity, 'queue'>): number => Number(row?.[column] ?? 0);
  return {
    queue,
    counts: record(TASK_STATES, (state) => count(state)),
    failuresByClass: record(ERROR_CLASSES, (name) => count(`failures_${name}`)),
    waitingMs: { count: count('waited_count'), total: count('waited_total_ms'), max: count('waited_max_ms') },
    runningMs: { count: count('ran_count'), total: count('ran_total_ms'), max: count('ran_max_ms') },
  };
}

const record = <K extends string>(names: readonly K[], valueOf: (name: K) => number): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<K, number>;
