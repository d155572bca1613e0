import type pg from 'pg';
import { eventsWith } from '../../domain/events.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { type PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { readSql, statement } from '../database/sql.js';
import { inTransaction } from '../database/transaction.js';
import { Backoff } from '../projection-engine/backoff.js';
import type { RowChange } from './changes/index-change.js';
import { ROW_CATEGORIES, rowChange } from './index-changes.js';
import { LOG_HERE } from './rebuild/loaded-segments.js';
import type { RebuildLog } from './rebuild-log.js';
import { insertTaskRows, type TaskRow } from './insert-task-rows.js';
import { insertPrerequisites, type PrerequisiteRow, prerequisiteRows } from './rebuild/prerequisite-rows.js';
import { taskRow, type LoggedTaskEvent } from './task-row-builder.js';

const TABLES =
  'tasks, tasks_archive, queues, triggers, holds, resources, system, ready, waiting, leases, key_slots, key_failures, prerequisites, consequences, batches, open_histories, quarantined';

/**
 * Less than the second after which Postgres looks for deadlocks. Readers lock the tables in other orders, and must not
 * become the victims.
 */
const TRY_MS = 500;

export const LOCK_INDEX = readSql(import.meta.url, 'rebuild/lock-index', { TABLES, TRY_MS });
const EMPTY_INDEX = readSql(import.meta.url, 'rebuild/empty-index', { TABLES });

/**
 * The tables of the index that follow from the tasks' rows and the claims' events, in an order in which each finds what
 * it needs.
 */
const DERIVED = [
  'batches/derive-batches',
  'prerequisites/derive-states',
  'claims/derive-leases',
  'claims/keep-reserved-leases',
  'keys/derive-key-slots',
  'keys/derive-key-failures',
  'keys/derive-ready-of-keys',
  'tasks/derive-ready',
  'tasks/derive-waiting',
].map((path) => readSql(import.meta.url, path));

const ARCHIVE_AGAIN = readSql(import.meta.url, 'archive/archive-again');
const DERIVE_FAILURE_STREAKS = statement<{ readonly extending: readonly string[]; readonly ending: readonly string[] }>(
  'waybill_derive_failure_streaks',
  readSql(import.meta.url, 'queues/derive-failure-streaks'),
);
const WRITE_ROW = statement<WrittenRow>(
  'waybill_write_row',
  'select waybill_write_row(:table, :row, :position, :revision, :at)',
);
const CONTINUE_TOKENS = statement<{ readonly last: number }>(
  'waybill_continue_tokens',
  readSql(import.meta.url, 'claims/continue-tokens'),
);

interface WrittenRow extends Pick<RowChange, 'table' | 'row'> {
  readonly position: string;
  readonly revision: number;
  readonly at: string;
}

/**
 * Small enough that the objects of a page die young: with 5,000, the garbage collector copied them, and a rebuild took
 * a quarter longer.
 */
const EVENTS_PER_PAGE = 1_000;

export interface RebuildProgress {
  readonly tasks: number;
}

/**
 * Rebuilds the rows of queues and tasks and the dispatch index from the events alone, in one transaction that locks the
 * log and the index. Meanwhile nothing is stored, claimed or listed: callers wait for the lock's time-out, get 503 and
 * try again later.
 *
 * Standing leases start again with their whole length, and keep the secret half of their tokens, which no event holds.
 * Idempotency keys and claim ids are not in the events either, and are left unchanged. Tasks in the archive stay there.
 */
export class IndexRebuild {
  constructor(
    private readonly pool: PostgresPool,
    private readonly log: RebuildLog = LOG_HERE,
    private readonly eventsPerPage = EVENTS_PER_PAGE,
  ) {}

  /** Returns how many tasks it built. Calls `onProgress` after each page. */
  async run(onProgress: (progress: RebuildProgress) => void = () => undefined): Promise<number> {
    return inTransaction(this.pool, async (connection) => {
      await connection.query('set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0');
      const loaded = await this.log.open(connection);
      // Loads most of the log before the lock, so that others wait only for the rest.
      await loaded.load();
      await lockIndex(connection);
      await loaded.load();
      await loaded.endReservations();
      const tasks = await this.build(connection, onProgress);
      await loaded.settle();
      return tasks;
    });
  }

  private async build(
    connection: PostgresConnection,
    onProgress: (progress: RebuildProgress) => void,
  ): Promise<number> {
    await connection.query(EMPTY_INDEX);
    await this.buildRows(connection);
    const { tasks, lastToken } = await this.buildTasks(connection, onProgress);
    for (const derive of DERIVED) await connection.query(derive);
    await connection.query(DERIVE_FAILURE_STREAKS.with(FAILURE_STREAK));
    await connection.query(CONTINUE_TOKENS.with({ last: lastToken }));
    await connection.query(ARCHIVE_AGAIN);
    return tasks;
  }

  private async buildRows(connection: PostgresConnection): Promise<void> {
    const { rows } = (await connection.query(ROW_EVENTS, [ROW_CATEGORIES])) as { rows: LogRow[] };
    for (const history of byStream(rows)) {
      if (history.every(({ type }) => FILLS_ABANDONED_PLACE.has(type))) continue;
      const { category, position, revision, recorded_at: at } = history[history.length - 1]!;
      const change = rowChange(category, history.map(decode));
      if (!change) continue;
      const row = { created_at: madeAt(history), ...change.row };
      await connection.query(WRITE_ROW.with({ table: change.table, row, position, revision, at }));
    }
  }

  /** While the rows of one page are built, the database writes those of the previous page and reads the next page. */
  private async buildTasks(
    connection: PostgresConnection,
    onProgress: (progress: RebuildProgress) => void,
  ): Promise<Built> {
    let tasks = 0;
    let lastToken = 0;
    let written: Promise<void> = Promise.resolve();
    for (let next = pageAfter(connection, NIL, this.eventsPerPage); ;) {
      const { histories, last } = await next;
      if (last === null) break;
      next = awaitedLater(pageAfter(connection, last, this.eventsPerPage));
      const lives = histories.map((history) => history.map(logged));
      const built = lives.flatMap((life, at) => taskRow(histories[at]![0]!.stream, life) ?? []);
      lastToken = lives.reduce(laterToken, lastToken);
      await written;
      const prerequisites = lives.flatMap((life, at) => prerequisiteRows(histories[at]![0]!.stream, life));
      written = awaitedLater(insertRows(connection, built, prerequisites));
      tasks += built.length;
      onProgress({ tasks });
    }
    await written;
    return { tasks, lastToken };
  }
}

async function insertRows(
  connection: PostgresConnection,
  tasks: readonly TaskRow[],
  prerequisites: readonly PrerequisiteRow[],
): Promise<void> {
  await insertTaskRows(connection, tasks);
  if (prerequisites.length > 0) await insertPrerequisites(connection, prerequisites);
}

const ROW_EVENTS = `select stream, position, revision, category, type, version, recorded_at, data from logged_events
  where category = any($1) order by stream, revision`;

const FILLS_ABANDONED_PLACE = eventsWith('fills-abandoned-place');

/** A stream may begin with a fence, which makes no row. */
const madeAt = (history: readonly LogRow[]): string =>
  history.find(({ type }) => !FILLS_ABANDONED_PLACE.has(type))!.recorded_at;

const FAILURE_STREAK = {
  extending: [...eventsWith('extends-failure-streak')],
  ending: [...eventsWith('ends-failure-streak')],
};

/** Releases all locks whenever one must be waited for too long, so that others do not wait behind this transaction. */
async function lockIndex(connection: PostgresConnection): Promise<void> {
  const backoff = new Backoff();
  await connection.query('savepoint unlocked');
  while (!(await isLocked(connection))) {
    await connection.query('rollback to savepoint unlocked');
    await backoff.wait(NEVER);
  }
}

const NEVER = new AbortController().signal;
const IN_USE = ['55P03', '40P01'];

async function isLocked(connection: PostgresConnection): Promise<boolean> {
  try {
    await connection.query(LOCK_INDEX);
    return true;
  } catch (error) {
    if (!IN_USE.includes((error as pg.DatabaseError).code ?? '')) throw error;
    return false;
  }
}

interface Built {
  readonly tasks: number;
  /** The highest fencing token of a claim; 0 if there is none. */
  readonly lastToken: number;
}

function laterToken(last: number, life: readonly LoggedTaskEvent[]): number {
  for (const { event } of life) if (event.type === 'TaskClaimed') last = Math.max(last, Number(event.data.token));
  return last;
}

/** Keeps a rejection from being unhandled before the promise is awaited. */
function awaitedLater<T>(sent: Promise<T>): Promise<T> {
  sent.catch(() => undefined);
  return sent;
}

const NIL = '00000000-0000-0000-0000-000000000000';

interface Page {
  /** Complete histories of tasks. */
  readonly histories: readonly LogRow[][];
  /** The last stream that the page has completely; null at the end. */
  readonly last: string | null;
}

/** In the order of the index by stream, so that nothing is sorted and no stream is looked up. */
const PAGE = `select stream, position, revision, category, type, version, recorded_at, data from logged_events
  where stream > $1 order by stream, revision limit $2`;

/** The limit grows if a single stream is longer. */
async function pageAfter(connection: PostgresConnection, after: string, limit: number): Promise<Page> {
  const { rows } = (await connection.query(PAGE, [after, limit])) as { rows: LogRow[] };
  const histories = byStream(rows);
  // The last history may continue in the next page.
  if (rows.length === limit) histories.pop();
  if (histories.length === 0) return rows.length < limit ? END : pageAfter(connection, after, limit * 2);
  const last = histories[histories.length - 1]![0]!.stream;
  return { histories: histories.filter(([first]) => first!.category === TASK_CATEGORY), last };
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
