import { Injectable, Logger } from '@nestjs/common';
import { Quarantine } from '../../application/kernel/quarantine.port.js';
import type { UnreadableStream } from '../../application/kernel/unreadable-stream.js';
import { WakeUps } from '../../application/kernel/wake-ups.port.js';
import { categoryOf } from '../../domain/aggregates.js';
import { TASK_CATEGORY, taskIdOf } from '../../domain/task/task.stream.js';
import { type PostgresConnection, PostgresPool } from '../database/postgres-pool.js';

const SET_ASIDE = 'select waybill_set_aside($1, $2, $3, $4) as added';

const TAKE_BACK = 'select waybill_take_back($1) as queues';

const DUE = 'select task_id from quarantined where retry_at <= now() and not parked order by retry_at limit $1';

const ROWS = 'select task_id, revision, state from known_tasks where task_id = any ($1)';

/** Doubles the time to the next try, up to five minutes. */
const POSTPONE = `
  update quarantined q set tries = tries + 1, position = a.position, error = a.error,
    retry_at = now() + least(interval '5 minutes', interval '30 seconds' * power(2, least(tries, 10)))
  from unnest($1::uuid[], $2::bigint[], $3::text[]) as a(task, position, error) where q.task_id = a.task`;

/** What the index says of a task. */
export interface IndexedTask {
  readonly revision: number;
  readonly state: string;
}

/** Long enough for the message of any error, short enough for a row. */
const MOST_TEXT = 1_000;

/** The tasks that cannot be read, or whose rows are wrong or missing, as rows of the dispatch index. */
@Injectable()
export class PostgresQuarantine extends Quarantine {
  private readonly logger = new Logger('Quarantine');

  constructor(
    private readonly pool: PostgresPool,
    private readonly wakeUps: WakeUps,
  ) {
    super();
  }

  add(streams: readonly UnreadableStream[]): Promise<void> {
    return this.setAside(this.pool, streams, false);
  }

  /** Puts tasks aside that a pick took out of the ready lane, within the transaction of the pick. */
  addPicked(connection: PostgresConnection, streams: readonly UnreadableStream[]): Promise<void> {
    return this.setAside(connection, streams, true);
  }

  /** The tasks that are to be read again, the longest overdue first. */
  async due(limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ task_id: string }>(DUE, [limit]);
    return rows.map(({ task_id: taskId }) => taskId);
  }

  /** The rows of tasks in the index. */
  async rowsOf(tasks: readonly string[]): Promise<ReadonlyMap<string, IndexedTask>> {
    const { rows } = await this.pool.query<{ readonly task_id: string } & IndexedTask>(ROWS, [tasks]);
    return new Map(rows.map(({ task_id: taskId, ...row }) => [taskId, row]));
  }

  /** The tasks can be read again. */
  async takeBack(tasks: readonly string[]): Promise<void> {
    if (tasks.length === 0) return;
    const { rows } = await this.pool.query<{ queues: readonly string[] }>(TAKE_BACK, [tasks]);
    for (const queue of new Set(rows[0]!.queues)) this.wakeUps.queueReady(queue);
    this.logger.log(`Took back ${tasks.length} tasks that can be read again: ${tasks.join(', ')}`);
  }

  /** The tasks still cannot be read. */
  async postpone(streams: readonly UnreadableStream[]): Promise<void> {
    if (streams.length > 0) await this.pool.query(POSTPONE, columnsOf(streams));
  }

  private async setAside(
    db: Pick<PostgresConnection, 'query'>,
    streams: readonly UnreadableStream[],
    arePicked: boolean,
  ): Promise<void> {
    const tasks = streams.filter(({ stream }) => categoryOf(stream) === TASK_CATEGORY);
    if (tasks.length === 0) return;
    const { rows } = await db.query(SET_ASIDE, [...columnsOf(tasks), arePicked]);
    const added = new Set((rows as [{ added: readonly string[] }])[0].added);
    for (const { stream, message } of tasks) {
      if (added.delete(taskIdOf(stream))) this.logger.error(`${message}. The task is put aside; no other is affected`);
    }
  }
}

const columnsOf = (streams: readonly UnreadableStream[]): unknown[] => [
  streams.map(({ stream }) => taskIdOf(stream)),
  streams.map(({ position }) => position),
  streams.map(({ reason }) => reason.slice(0, MOST_TEXT)),
];
