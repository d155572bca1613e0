import { randomBytes } from 'node:crypto';
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { BUILD } from '../bootstrap/functions.js';
import { migrate } from '../infrastructure/database/migrate.js';
import { SEARCH_PATH, STAND_STILL } from './test-clock.js';

export interface TestDatabase {
  readonly url: string;
  query(text: string, values: unknown[]): Promise<unknown>;
  /** Drops it, and stops the Postgres of this machine's tests unless another process uses it. */
  close(): Promise<void>;
}

/** The data is worth nothing after a crash, and its server keeps little of the log for recovery. */
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'min_wal_size=32MB',
  'max_wal_size=256MB',
  'shared_buffers=64MB',
  'max_connections=300',
];

/** Linux keeps its files in memory. */
const MEMORY = '/dev/shm';
/** A container may have little there. A run takes 100 MB, and some more for each test file that runs at the same time. */
const ROOM_BYTES = 2 ** 30;

/** Each build has its own, because its functions are in it. */
const TEMPLATES = 'waybill_testing_';
const TEMPLATE = `${TEMPLATES}${BUILD.schema}`;
const MAKING = `${TEMPLATES}making`;

/** Each is in use for as long as it has a connection, so that what a killed run has left is found. */
const DATABASES = 'waybill_test_';

/** Any number: of those who create and drop databases, one does, and the others wait. */
const TURN_LOCK = 2_280_001;

/**
 * A new migrated database whose clock stands still: in the Postgres of `databaseUrl`, or in one that the tests of this user share. That one is
 * started by the first and stopped by the last of them, and keeps the migrated template for the next run. Drops what killed runs have left.
 */
export async function createTestDatabase(databaseUrl?: string): Promise<TestDatabase> {
  const server = databaseUrl === undefined ? await ownPostgres() : { url: databaseUrl, stop: async () => undefined };
  try {
    const name = `${DATABASES}${randomBytes(8).toString('hex')}`;
    const url = urlOf(server.url, name);
    const used = await inTurn(server.url, async (client) => {
      await dropAbandoned(client);
      await makeTemplate(client, server.url);
      await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
      await client.query(`alter database ${name} set search_path = ${SEARCH_PATH}`);
      return connected(url);
    });
    const close = async (): Promise<void> => {
      await used.end();
      try {
        await inTurn(server.url, (client) => client.query(dropped(name)));
      } finally {
        await server.stop();
      }
    };
    return { url, query: (text, values) => used.query(text, values), close };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function ownPostgres(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const { startEmbeddedPostgres } = await import('../infrastructure/embedded-postgres/embedded-postgres.js');
  return startEmbeddedPostgres({
    dataDir: join(hasRoom(MEMORY) ? MEMORY : tmpdir(), `waybill-testing-${userInfo().uid}`),
    log: () => undefined,
    postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
  });
}

function hasRoom(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false;
  }
}

async function dropAbandoned(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database d where starts_with(datname, $1)
      and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
    [DATABASES],
  );
  for (const { name } of rows) await client.query(dropped(name));
}

/** Made under another name and renamed, so that a template is either whole or absent. Those of other builds go. */
async function makeTemplate(client: pg.Client, url: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [TEMPLATES],
  );
  if (rows.some(({ name }) => name === TEMPLATE)) return;
  for (const { name } of rows) await client.query(dropped(name));
  await client.query(`create database ${MAKING}`);
  await client.query(`alter database ${MAKING} set search_path = ${SEARCH_PATH}`);
  await within(urlOf(url, MAKING), (own) => own.query(STAND_STILL));
  await migrate(urlOf(url, MAKING), BUILD);
  await client.query(`alter database ${MAKING} rename to ${TEMPLATE}`);
}

const dropped = (name: string): string => `drop database if exists ${name} with (force)`;

function urlOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}

const inTurn = <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> =>
  within(url, async (client) => {
    await client.query(`select pg_advisory_lock(${TURN_LOCK})`);
    return work(client);
  });

async function within<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connected(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // Whoever needs the server next is told that it is gone.
  client.on('error', () => undefined);
  await client.connect();
  await client.query('set idle_session_timeout = 0');
  return client;
}
