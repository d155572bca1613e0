import type { QueueEvent } from '../../domain/queue/queue.events.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { eventCodec } from '../event-store/event-schemas.js';
import { LOG_LOCK } from '../event-store/postgres/append.sql.js';
import { type PostgresConnection, PostgresPool } from '../persistence/postgres-pool.js';
import { queueRow } from './index-changes.js';
import { DERIVE_INDEX, EMPTY_INDEX } from './index-rebuild.sql.js';
import { LoadedLog, type LogElsewhere } from './reserved/loaded-log.js';
import { insertTaskRows } from './task-rows.sql.js';
import { taskRow, type LoggedTaskEvent } from './task-row-builder.js';

const EVENTS_PER_PAGE = 5_000;

export interface RebuildProgress {
  readonly tasks: number;
}

/**
 * Builds the queues' and tasks' rows and the dispatch index anew, from the events alone, in one transaction under the log
 * lock. Meanwhile nothing is stored or claimed: callers wait for the lock's time-out and are told to come later (503).
 *
 * Standing leases get their whole length again, and keep the secret half of their token, which no event holds.
 * Idempotency keys and claim ids are not in the events either, and are left as they are.
 */
export class IndexRebuild {
  /** `elsewhere`: the log, where it is not in this database. */
  constructor(
    private readonly pool: PostgresPool,
    private readonly elsewhere: LogElsewhere | null = null,
    private readonly eventsPerPage = EVENTS_PER_PAGE,
  ) {}

  /** Answers how many tasks it built; `onProgress` is told now and then. */
  async run(onProgress: (progress: RebuildProgress) => void = () => undefined): Promise<number> {
    const connection = await this.pool.connect();
    try {
      await connection.query('begin');
      await connection.query('set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0');
      const loaded = this.elsewhere && (await LoadedLog.open(connection, this.elsewhere));
      // Most of it before the lock, so that others wait for the rest only.
      await loaded?.load();
      await connection.query('select pg_advisory_xact_lock($1)', [LOG_LOCK]);
      await loaded?.load();
      await loaded?.endReservations();
      const tasks = await this.build(connection, onProgress);
      await loaded?.settle();
      await connection.query('commit');
      connection.release();
      return tasks;
    } catch (error) {
      connection.release(error as Error);
      throw error;
    }
  }

  private async build(
    connection: PostgresConnection,
    onProgress: (progress: RebuildProgress) => void,
  ): Promise<number> {
    await connection.query(EMPTY_INDEX);
    await this.buildQueues(connection);
    const tasks = await this.buildTasks(connection, onProgress);
    await connection.query(DERIVE_INDEX);
    return tasks;
  }

  private async buildQueues(connection: PostgresConnection): Promise<void> {
    const { rows } = (await connection.query(
      `select stream, position, revision, category, type, version, data from events where category = 'queue' order by stream, revision`,
    )) as { rows: LogRow[] };
    for (const history of byStream(rows)) {
      const last = history[history.length - 1]!;
      const row = queueRow(history.map((row) => decode(row) as QueueEvent));
      if (!('status' in row)) continue; // nothing but a fence
      await connection.query('select waybill_write_queue($1, $2, $3)', [row, last.position, last.revision]);
    }
  }

  /** The next page is read while the rows of this one are made. */
  private async buildTasks(
    connection: PostgresConnection,
    onProgress: (progress: RebuildProgress) => void,
  ): Promise<number> {
    let tasks = 0;
    for (let next = pageAfter(connection, NIL, this.eventsPerPage); ;) {
      const { histories, last } = await next;
      if (last === null) return tasks;
      next = pageAfter(connection, last, this.eventsPerPage);
      // Awaited below, after the rows: it may fail before that.
      next.catch(() => undefined);
      const built = histories.flatMap((history) => taskRow(history[0]!.stream, history.map(logged)) ?? []);
      await insertTaskRows(connection, built);
      tasks += built.length;
      onProgress({ tasks });
    }
  }
}

const NIL = '00000000-0000-0000-0000-000000000000';

interface Page {
  /** Whole histories of tasks. */
  readonly histories: readonly LogRow[][];
  /** The last stream that the page has all of; null at the end. */
  readonly last: string | null;
}

/** In the order of the streams' index, so that nothing is sorted and no stream is looked up. */
const PAGE = `select stream, position, revision, category, type, version, recorded_at, data from events
  where stream > $1 order by stream, revision limit $2`;

/** The limit grows where one stream alone is longer. */
async function pageAfter(connection: PostgresConnection, after: string, limit: number): Promise<Page> {
  const { rows } = (await connection.query(PAGE, [after, limit])) as { rows: LogRow[] };
  const histories = byStream(rows);
  // The last history may go on.
  if (rows.length === limit) histories.pop();
  if (histories.length === 0) return rows.length < limit ? END : pageAfter(connection, after, limit * 2);
  const last = histories[histories.length - 1]![0]!.stream;
  return { histories: histories.filter(([first]) => first!.category === 'task'), last };
}

const END: Page = { histories: [], last: null };

interface LogRow {
  readonly stream: string;
  readonly position: string;
  readonly revision: number;
  readonly category: string;
  readonly type: string;
  readonly version: number;
  readonly recorded_at: string;
  readonly data: string;
}

const decode = ({ type, version, data }: LogRow) => eventCodec.decode(type, version, data);

const logged = (row: LogRow): LoggedTaskEvent => ({
  position: row.position,
  revision: row.revision,
  recordedAt: row.recorded_at,
  event: decode(row) as TaskEvent,
});

function byStream(rows: readonly LogRow[]): LogRow[][] {
  const histories: LogRow[][] = [];
  for (const row of rows) {
    const open = histories[histories.length - 1];
    if (open?.[0]!.stream === row.stream) open.push(row);
    else histories.push([row]);
  }
  return histories;
}
