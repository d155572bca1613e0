import type pg from 'pg';
import { eventsWith } from '../../domain/events.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { AGGREGATE_MODELS } from '../../projections/kernel/aggregate-models.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { type PostgresConnection, PostgresPool } from '../database/postgres-pool.js';
import { readSql, statement } from '../database/sql.js';
import { inTransaction } from '../database/transaction.js';
import { Backoff } from '../projection-engine/backoff.js';
import type { RowChange } from './changes/index-change.js';
import { ROW_CATEGORIES, rowChange } from './aggregate-rows.js';
import { LOG_HERE } from './rebuild/loaded-segments.js';
import {
  awaitedLater,
  historiesOfTasks,
  type LoggedEvent,
  type PageSize,
  partsOfStreams,
} from './rebuild/logged-pages.js';
import type { RebuildLog } from './rebuild-log.js';
import { BEGIN_TURNS, LANE } from './functions.js';
import { insertTaskRows } from './insert-task-rows.js';
import { insertPrerequisites, type PrerequisiteRow, prerequisiteRows } from './rebuild/prerequisite-rows.js';
import { type LoggedTaskEvent, type TaskRow, taskRow } from '../../projections/kernel/rows/task-row.js';

const DERIVED_TABLES =
  'tasks_archive, ready, waiting, leases, key_slots, key_failures, prerequisites, consequences, open_histories, ended_histories, quarantined, log_times';
/** Whose rows a rebuild makes anew. */
export const TABLES = `${AGGREGATE_MODELS.join(', ')}, ${DERIVED_TABLES}`;

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
  'tasks/derive-alarms',
  'claims/derive-leases',
  'claims/keep-reserved-leases',
  'keys/derive-key-slots',
  'keys/derive-key-failures',
  'keys/derive-ready-of-keys',
  'tasks/derive-ready',
  'tasks/derive-waiting',
].map((path) => readSql(import.meta.url, path, { LANE, BEGIN_TURNS }));

const OF_THE_LOG = DERIVED.slice(0, 2);

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
    private readonly pageSize?: PageSize,
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
      await connection.query(EMPTY_INDEX);
      await loaded.endReservations();
      const tasks = await this.build(connection, onProgress);
      await loaded.settle();
      return tasks;
    });
  }

  /** Builds what follows from the log alone, and from no other row, into tables that are empty. */
  async rowsInto(connection: PostgresConnection, onProgress: (progress: RebuildProgress) => void): Promise<void> {
    const loaded = await this.log.open(connection);
    await loaded.load();
    await this.buildRows(connection);
    await this.buildTasks(connection, onProgress);
    for (const derive of OF_THE_LOG) await connection.query(derive);
    await connection.query(DERIVE_FAILURE_STREAKS.with(FAILURE_STREAK));
  }

  private async build(
    connection: PostgresConnection,
    onProgress: (progress: RebuildProgress) => void,
  ): Promise<number> {
    await this.buildRows(connection);
    const { tasks, lastToken } = await this.buildTasks(connection, onProgress);
    for (const derive of DERIVED) await connection.query(derive);
    await connection.query(DERIVE_FAILURE_STREAKS.with(FAILURE_STREAK));
    await connection.query(CONTINUE_TOKENS.with({ last: lastToken }));
    await connection.query(ARCHIVE_AGAIN);
    return tasks;
  }

  /** If a stream continues after a part, its row is then written again, as after an append. */
  private async buildRows(connection: PostgresConnection): Promise<void> {
    let made: string | undefined;
    for await (const part of partsOfStreams(connection, ROW_CATEGORIES, this.pageSize)) {
      const { stream, category, position, revision, recorded_at: at } = part.at(-1)!;
      const change = rowChange(category, part.map(decode));
      if (!change) continue;
      const created_at = stream === made ? undefined : madeAt(part);
      const row = { ...(created_at && { created_at }), ...change.row };
      await connection.query(WRITE_ROW.with({ table: change.table, row, position, revision, at }));
      if (created_at) made = stream;
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
    for await (const histories of historiesOfTasks(connection, this.pageSize)) {
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

const FILLS_ABANDONED_PLACE = eventsWith('fills-abandoned-place');

/** A stream may begin with a fence, which makes no row. */
const madeAt = (part: readonly LoggedEvent[]): string | undefined =>
  part.find(({ type }) => !FILLS_ABANDONED_PLACE.has(type))?.recorded_at;

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

const decode = ({ type, version, data }: LoggedEvent) => eventCodec.decode(type, version, data);

const logged = (row: LoggedEvent): LoggedTaskEvent => ({
  position: row.position,
  revision: row.revision,
  recordedAt: row.recorded_at,
  event: decode(row) as TaskEvent,
});
