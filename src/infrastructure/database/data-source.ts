import { DataSource, type EntitySchema } from 'typeorm';
import type pg from 'pg';
import { BUSY_MS, connectMsOf, contact } from './first-contact.js';
import { installFunctions } from './functions.js';
import { GuardedClient, KEEP_ALIVE_MS } from './guarded-client.js';
import { MIGRATION_LOCK } from './locks.js';
import { Tables1763700000000 } from './migrations/1763700000000-tables.js';

/**
 * Run in this order. Add new ones at the end and change none. They are imported by name, because a glob would load both
 * the sources and the build.
 */
export const MIGRATIONS = [Tables1763700000000];

/**
 * How long one wait for the lock takes at most. Less than the time for an answer, because "another process is
 * migrating" counts as an answer too.
 */
const TURN_MS = BUSY_MS / 2;
const LOCK_NOT_AVAILABLE = '55P03';
const CONNECT_TIMEOUT_MS = 2_000;
/** Only a rebuild locks the tables for longer. Readers then get 503, as writers do. */
const LOCK_TIMEOUT_MS = 5_000;

type Entity = (new () => object) | EntitySchema;

export interface DataSourceOptions {
  readonly size?: number;
  /** The time-out of every statement; no limit if absent. */
  readonly answerMs?: number;
  /** The time after which the database cancels a statement; no limit if absent. */
  readonly statementMs?: number;
}

/** The connections of queries. Only the migrations change the schema, never TypeORM. */
export function createDataSource(
  url: string,
  entities: readonly Entity[],
  { size = 5, answerMs, statementMs }: DataSourceOptions = {},
): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    entities: [...entities],
    migrations: MIGRATIONS,
    migrationsTableName: 'waybill_migrations',
    migrationsTransactionMode: 'each',
    synchronize: false,
    poolSize: size,
    connectTimeoutMS: connectMsOf(url, CONNECT_TIMEOUT_MS),
    applicationName: 'waybill-queries',
    extra: {
      Client: GuardedClient,
      // When a statement times out, only a pipelining client gives the connection up.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      ...(answerMs !== undefined && { query_timeout: answerMs }),
      ...(statementMs !== undefined && { statement_timeout: statementMs }),
    },
  });
}

export interface MigrateOptions {
  /** A connected client, which `migrate` ends. If absent, it opens one. */
  readonly client?: pg.Client;
  /** Receives messages for people. */
  readonly log?: (line: string) => void;
}

/**
 * Brings the schema up to date and installs the given functions. Processes that start together take turns. Returns the
 * names of what was run.
 */
export async function migrate(
  url: string,
  functions: readonly string[],
  { client, log }: MigrateOptions = {},
): Promise<readonly string[]> {
  const lock = client ?? (await contact(url));
  const dataSource = createDataSource(url, [], { size: 1 });
  try {
    await takeTurn(lock, log);
    await dataSource.initialize();
    // A migration has no caller that could try again later, so it waits without a limit.
    await dataSource.query('set lock_timeout = 0');
    const migrations = (await dataSource.runMigrations()).map(({ name }) => name);
    return (await installFunctions(lock, functions)) ? [...migrations, 'the functions of this version'] : migrations;
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await lock.end();
  }
}

/** Waits without a limit: other processes may migrate large tables, and nothing works before they are done. */
async function takeTurn(lock: pg.Client, log?: (line: string) => void): Promise<void> {
  for (let got = await takeIfFree(lock); !got; got = await takeInTime(lock))
    log?.('Waiting for another process that brings the schema up to date');
}

async function takeIfFree(lock: pg.Client): Promise<boolean> {
  const { rows } = await lock.query<{ got: boolean }>(`select pg_try_advisory_lock(${MIGRATION_LOCK}) as got`);
  return rows[0]!.got;
}

async function takeInTime(lock: pg.Client): Promise<boolean> {
  try {
    await lock.query(`set local lock_timeout = ${TURN_MS}; select pg_advisory_lock(${MIGRATION_LOCK})`);
    return true;
  } catch (error) {
    if ((error as pg.DatabaseError).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}
