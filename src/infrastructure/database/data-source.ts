import { DataSource, type EntitySchema } from 'typeorm';
import type pg from 'pg';
import { BUSY_MS, connectMsOf, contact } from './first-contact.js';
import { installFunctions } from './functions.js';
import { GuardedClient, KEEP_ALIVE_MS } from './guarded-client.js';
import { MIGRATION_LOCK } from './locks.js';
import { Tables1763700000000 } from './migrations/1763700000000-tables.js';

/** In order; only ever added to. Imported by name, because a glob would load sources and builds alike. */
export const MIGRATIONS = [Tables1763700000000];

/** Less than a database has for an answer: that it is another's turn is one, too. */
const TURN_MS = BUSY_MS / 2;
const LOCK_NOT_AVAILABLE = '55P03';
const CONNECT_TIMEOUT_MS = 2_000;
/** Only a rebuild keeps the tables longer, and readers get 503 meanwhile, as writers do. */
const LOCK_TIMEOUT_MS = 5_000;

type Entity = (new () => object) | EntitySchema;

export interface DataSourceOptions {
  readonly size?: number;
  /** For an answer to any statement; no limit where absent. */
  readonly answerMs?: number;
}

/** The read side's connections; the schema is the migrations', never TypeORM's to change. */
export function createDataSource(
  url: string,
  entities: readonly Entity[],
  { size = 5, answerMs }: DataSourceOptions = {},
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
      // Where a statement has its time-out, only a client that pipelines gives its connection up.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      ...(answerMs !== undefined && { query_timeout: answerMs }),
    },
  });
}

export interface MigrateOptions {
  /** Connected, and ended here; one of its own where absent. */
  readonly client?: pg.Client;
  /** Receives lines for people. */
  readonly log?: (line: string) => void;
}

/**
 * Brings the database's schema up to date, and its functions to those given; processes that start together take turns. Answers the
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
    // A migration has nobody to tell to come later.
    await dataSource.query('set lock_timeout = 0');
    const migrations = (await dataSource.runMigrations()).map(({ name }) => name);
    return (await installFunctions(lock, functions)) ? [...migrations, 'the functions of this version'] : migrations;
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy();
    await lock.end();
  }
}

/** However long the others' turns take: what they change may be large, and nothing works before it is done. */
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
