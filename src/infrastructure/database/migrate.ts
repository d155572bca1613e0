import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import type { Build } from './build.js';
import { BUSY_MS, connectMsOf, connect } from './connect.js';
import { assertFit } from './fit-database.js';
import { installFunctions, noteUse } from './functions.js';
import { GuardedClient } from './guarded-client.js';
import { MIGRATION_LOCK } from './locks.js';
import { assertOnlyWaybill } from './only-waybill.js';
import { mayMigrate } from './rights.js';
import { assertKnownSchema, oldBuildsInUse } from './schema-version.js';
import { SchemaError } from './schema-error.js';
import { openSession } from './session.js';
import { TEXT_TIMES } from './value-parsers.js';

/**
 * How long one wait for a lock takes at most. While a migration waits for a table, whoever comes to that table waits
 * behind it, and gives up after five seconds.
 */
const TURN_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';
/** A migration locks several tables, and transactions of the service may lock them in another order. */
const DEADLOCK = '40P01';
const STATEMENT_TIMED_OUT = '57014';
const LOOK_MS = 500;
/** A statement that waits for nobody may begin late on a busy machine. */
const LEAST_MS = 1_000;

/** How long a start may take to bring the schema up to date. */
export const MIGRATION_MS = 300_000;

export interface MigrateOptions {
  /** A connected client, which `migrate` ends. If absent, it opens one. */
  readonly client?: pg.Client;
  /** Receives messages for people. */
  readonly log?: (line: string) => void;
  readonly withinMs?: number;
}

/** What the parts of a migration share. */
interface Migration {
  readonly url: string;
  readonly build: Build;
  readonly work: pg.Client;
  /** In a transaction that has the lock of migrations. */
  readonly lock: pg.Client;
  readonly withinMs: number;
  readonly until: number;
  readonly log: (line: string) => void;
}

/**
 * Brings the schema up to date and installs the functions of the build. Processes that start together take turns.
 * Returns the names of what was run. Throws `SchemaError` if the database is unfit, if the schema is too new for the build, if
 * another schema has the tables, or if it is not up to date in time.
 */
export async function migrate(
  url: string,
  build: Build,
  { client, log = () => undefined, withinMs = MIGRATION_MS }: MigrateOptions = {},
): Promise<readonly string[]> {
  const work = client ?? (await connect(url));
  try {
    await assertFit(work);
    return await withTurn({ url, build, work, withinMs, until: performance.now() + withinMs, log });
  } finally {
    await work.end();
  }
}

/** Holds the lock of migrations in a transaction of its own, which ends with this process wherever it fails. */
async function withTurn(waiting: Omit<Migration, 'lock'>): Promise<readonly string[]> {
  const lock = await connect(waiting.url, connectMsOf(waiting.url, BUSY_MS));
  try {
    await takeTurn({ ...waiting, lock });
    return await bringUpToDate({ ...waiting, lock });
  } finally {
    await lock.end();
  }
}

async function bringUpToDate(migration: Migration): Promise<readonly string[]> {
  const { work, build } = migration;
  if (!(await mayMigrate(work, build))) {
    await assertKnownSchema(work, build);
    await noteUse(work, build);
    return [];
  }
  await assertOnlyWaybill(work);
  await assertKnownSchema(work, build);
  await outlastOldBuilds(migration);
  const migrations = await runMigrations(migration);
  return (await installFunctions(work, build)) ? [...migrations, 'the functions of this build'] : migrations;
}

async function takeTurn(migration: Migration): Promise<void> {
  const { lock, until } = migration;
  for (let got = await take(lock, 1); !got; got = await take(lock, Math.min(TURN_MS, msUntil(until)))) {
    migration.log('Waiting for another process that brings the schema up to date');
    if (isOver(migration)) throw late(migration, `${await processWith(lock)} still does that; wait for it, or end it`);
  }
}

/** A lock that is free is taken in any time. */
async function take(lock: pg.Client, withinMs: number): Promise<boolean> {
  try {
    await lock.query(`begin; set local lock_timeout = ${withinMs}; select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    return true;
  } catch (error) {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    await lock.query('rollback');
    return false;
  }
}

async function processWith(lock: pg.Client): Promise<string> {
  const { rows } = await lock.query<{ pid: number }>(
    `select pid from pg_locks where locktype = 'advisory' and (classid::int, objid::int) = (${MIGRATION_LOCK}) and granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rows[0] ? `the database's process ${rows[0].pid}` : 'another process';
}

/** Builds that could not work on the new schema must be stopped first. */
async function outlastOldBuilds(migration: Migration): Promise<void> {
  for (;;) {
    const inUse = await oldBuildsInUse(migration.work, migration.build);
    if (inUse === null) return;
    if (isOver(migration)) throw late(migration, `${inUse}; stop the processes of that build`);
    migration.log(`Waiting until builds that cannot work on the new schema are stopped: ${inUse}`);
    await pause(Math.min(TURN_MS, Math.max(LOOK_MS, migration.until - performance.now())));
  }
}

/** Waits for each table in short turns. Each migration is one transaction, so it can be tried again. */
async function runMigrations(migration: Migration): Promise<readonly string[]> {
  const dataSource = migrationSource(migration);
  await dataSource.initialize();
  try {
    const names: string[] = [];
    for (;;) {
      const run = await runPending(dataSource, names);
      if (run === 'done') return names;
      if (isOver(migration))
        throw late(migration, 'another session holds a table; end its transaction (pg_stat_activity)');
      migration.log('Waiting for a table that another session holds');
    }
  } catch (error) {
    if (codeOf(error) !== STATEMENT_TIMED_OUT) throw error;
    throw late(migration, 'a statement took longer; set WAYBILL_MIGRATION_MS to a longer time');
  } finally {
    await dataSource.destroy();
  }
}

async function runPending(dataSource: DataSource, names: string[]): Promise<'done' | 'locked'> {
  try {
    names.push(...(await dataSource.runMigrations()).map(({ name }) => name));
    return 'done';
  } catch (error) {
    if ([LOCK_NOT_AVAILABLE, DEADLOCK].includes(codeOf(error) as string)) return 'locked';
    throw error;
  }
}

const migrationSource = ({ url, build, until }: Migration): DataSource =>
  new DataSource({
    type: 'postgres',
    url,
    migrations: [...build.migrations],
    migrationsTableName: 'waybill_migrations',
    migrationsTransactionMode: 'each',
    poolSize: 1,
    connectTimeoutMS: connectMsOf(url, BUSY_MS),
    applicationName: 'waybill-migrations',
    // TypeORM's own would print what failed, which may be tried again.
    logger: 'debug',
    extra: {
      Client: GuardedClient,
      types: TEXT_TIMES,
      onConnect: (session: pg.Client) =>
        openSession(
          session,
          { lockMs: Math.ceil(Math.min(TURN_MS, msUntil(until) / 2)), statementMs: Math.max(LEAST_MS, msUntil(until)) },
          BUSY_MS,
        ),
    },
  });

/** At least 2, because Postgres takes 0 for no limit. */
const msUntil = (until: number): number => Math.max(2, Math.ceil(until - performance.now()));

const isOver = ({ until }: Migration): boolean => performance.now() >= until;

const late = ({ withinMs }: Migration, reason: string): SchemaError =>
  new SchemaError(`Expected to bring the schema up to date within ${withinMs} ms, but ${reason}.`);

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;
