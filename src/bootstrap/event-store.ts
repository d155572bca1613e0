import type pg from 'pg';
import { MOVED } from '../infrastructure/eventstoredb/copy/copy-source.js';
import { BUSY_MS, connect } from '../infrastructure/database/connect.js';
import type { MasterKeys } from '../infrastructure/eventstoredb/log/halves/master-keys.js';
import { databaseError, StartupError } from './startup-error.js';
import { assertKeysOf, masterKeysIn, useKeysOf } from './subject-keys.js';

export interface EventStoreOptions {
  /** If absent, the events are in the database. */
  readonly eventStoreUrl?: string | undefined;
  readonly eventStorePrefix: string;
  /** If absent, private halves are not encrypted. */
  readonly subjectKeyFile?: string | undefined;
  readonly databaseUrl: string;
  /** Receives messages for people. */
  readonly log: (line: string) => void;
  /** Receives warnings for them; by default, `log` does. */
  readonly warn?: (line: string) => void;
}

/** An event store outside the database. */
export interface ExternalEventStore {
  /** The store's id. The database records it to know from which store its index was built. */
  readonly id: string;
  /** The version that its server named at the start; `unknown` if it named none. */
  readonly version: string;
  readonly url: string;
  readonly prefix: string;
  /** All our events come after this position. */
  readonly since: bigint;
  /** With which the keys of private halves are encrypted; null if those are not. */
  readonly masterKeys: MasterKeys | null;
}

/** Imported only if there is such a store, because its client is a tenth of all modules. */
const externalEventStore = () => import('./external-event-store.js');

/**
 * Checks that the event store answers, and that the database's index was built from it. Returns null if the events are
 * in the database. Throws `StartupError` for problems that a person can fix.
 */
export async function openEventStore(options: EventStoreOptions): Promise<ExternalEventStore | null> {
  const other = await reachEventStore(options);
  await claimDatabase(options.databaseUrl, other);
  if (other) await withDatabase(options.databaseUrl, (client) => useKeysOf(client, other.masterKeys));
  return other;
}

/** Like `openEventStore`, for a program that is about to build the index, so the database need not have one. */
export async function openToIndex(options: EventStoreOptions): Promise<ExternalEventStore | null> {
  const other = await reachEventStore(options);
  await withDatabase(options.databaseUrl, async (client) => {
    await isClaimed(client, other);
    if (other) await assertKeysOf(client, other.masterKeys);
  });
  return other;
}

/** Connects to the event store. Returns null if the events are in the database. */
export async function reachEventStore(
  options: Omit<EventStoreOptions, 'databaseUrl'>,
): Promise<ExternalEventStore | null> {
  const { eventStoreUrl: url, eventStorePrefix: prefix, subjectKeyFile } = options;
  const masterKeys = await masterKeysIn(subjectKeyFile);
  if (url === undefined && masterKeys !== null) throw withoutStore();
  if (url === undefined) return null;
  const { reach } = await externalEventStore();
  return { url, prefix, masterKeys, ...(await reach(url, prefix, options)) };
}

/**
 * Ties the database to one store, because its rows and checkpoints mean nothing for another one. A new database may
 * only begin with an empty store: it lacks the tasks of one that is not, so their keys and references would seem free.
 */
async function claimDatabase(databaseUrl: string, other: ExternalEventStore | null): Promise<void> {
  const claimed = (): Promise<boolean> => withDatabase(databaseUrl, (client) => isClaimed(client, other));
  if (await claimed()) return;
  // If the store holds events, another process may have tied this database to it meanwhile, before it stored them. The
  // second look finds that.
  const { holdsEvents } = await externalEventStore();
  if ((await holdsEvents(other!)) && !(await claimed())) throw noIndex();
  await withDatabase(databaseUrl, (client) =>
    client.query('insert into event_store (id) values ($1) on conflict do nothing', [other!.id]),
  );
}

/** False for a new database, which may be tied to the store. Throws if the database belongs to another store. */
async function isClaimed(client: pg.Client, other: ExternalEventStore | null): Promise<boolean> {
  const { rows } = await client.query<{ id: string }>('select id from event_store');
  const known = rows[0]?.id ?? null;
  if (known === (other?.id ?? null)) return true;
  if (known?.startsWith(MOVED)) throw moved();
  if (!other) throw belongs('an EventStoreDB', 'set EVENT_STORE_URL to that');
  if (known !== null) throw belongs('another EventStoreDB', 'set EVENT_STORE_URL to that');
  const { rows: used } = await client.query('select 1 from segments limit 1');
  if (used.length > 0) throw belongs('the events that it holds itself', 'leave EVENT_STORE_URL out');
  return false;
}

async function withDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  try {
    const client = await connect(url, BUSY_MS);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw databaseError(error, url, BUSY_MS);
  }
}

const withoutStore = (): StartupError =>
  new StartupError(
    'Expected EVENT_STORE_URL beside WAYBILL_SUBJECT_KEY_FILE, but it is not set: with the events in Postgres, erasures need no keys; leave WAYBILL_SUBJECT_KEY_FILE out.',
  );

const moved = (): StartupError =>
  new StartupError(
    "Expected the database to hold the current events, but they were copied to an EventStoreDB; set EVENT_STORE_URL to it and DATABASE_URL to a new database, build its index with 'npm run rebuild -- index', then start again.",
  );

const noIndex = (): StartupError =>
  new StartupError(
    "Expected the database to have the index of this event store, which holds events, but the database is new; run 'npm run rebuild -- index' with the same settings, then start again.",
  );

const belongs = (whose: string, way: string): StartupError =>
  new StartupError(
    `Expected the database to belong to this event store, but its index was made from ${whose}; ${way}, or set DATABASE_URL to an empty database.`,
  );
