import type pg from 'pg';
import { MOVED } from '../infrastructure/eventstoredb/copy/copy-source.js';
import { BUSY_MS, contact } from '../infrastructure/database/first-contact.js';
import { databaseTrouble, StartupError } from './startup-error.js';

export interface EventStoreOptions {
  /** Absent: the events are in the database. */
  readonly eventStoreUrl?: string | undefined;
  readonly eventStorePrefix: string;
  readonly databaseUrl: string;
  /** Receives lines for people. */
  readonly log: (line: string) => void;
}

/** Where the events are, when they are not in the database. */
export interface ExternalEventStore {
  /** By which a database knows the store that its index was made from. */
  readonly id: string;
  readonly url: string;
  readonly prefix: string;
  /** Nothing of ours is before this position. */
  readonly since: bigint;
}

/** Loaded where there is another store: its client is a tenth of all modules. */
const externalEventStore = () => import('./external-event-store.js');

/**
 * Checks that the event store answers and that the database's index was made from it; null where the events are in the
 * database. Throws `StartupError` where a person can put it right.
 */
export async function openEventStore(options: EventStoreOptions): Promise<ExternalEventStore | null> {
  const other = await reachEventStore(options);
  await claimDatabase(options.databaseUrl, other);
  return other;
}

/** As `openEventStore`, for whoever is about to make the index: a database without one is as good. */
export async function openToIndex(options: EventStoreOptions): Promise<ExternalEventStore | null> {
  const other = await reachEventStore(options);
  await withDatabase(options.databaseUrl, (client) => isClaimed(client, other));
  return other;
}

/** The event store, which answers; null where the events are in the database. */
export async function reachEventStore(
  options: Omit<EventStoreOptions, 'databaseUrl'>,
): Promise<ExternalEventStore | null> {
  const { eventStoreUrl: url, eventStorePrefix: prefix, log } = options;
  if (url === undefined) return null;
  const { reach } = await externalEventStore();
  return { url, prefix, ...(await reach(url, prefix, log)) };
}

/**
 * A database belongs to the store that its rows and checkpoints were made from: those of another one mean nothing. A new
 * one may begin with an empty store only, because keys and references are free in an index that lacks their tasks.
 */
async function claimDatabase(databaseUrl: string, other: ExternalEventStore | null): Promise<void> {
  const claimed = (): Promise<boolean> => withDatabase(databaseUrl, (client) => isClaimed(client, other));
  if (await claimed()) return;
  // Whoever stored events claimed the database before: then it is not new any more.
  const { holdsEvents } = await externalEventStore();
  if ((await holdsEvents(other!)) && !(await claimed())) throw noIndex();
  await withDatabase(databaseUrl, (client) =>
    client.query('insert into event_store (id) values ($1) on conflict do nothing', [other!.id]),
  );
}

/** False for a new database, which is to belong to the store. Throws where it belongs to another one. */
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
    const client = await contact(url, BUSY_MS);
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    throw databaseTrouble(error, url, BUSY_MS);
  }
}

const moved = (): StartupError =>
  new StartupError(
    "Expected the database to be in use, but its events were copied to an EventStoreDB; set EVENT_STORE_URL to that and DATABASE_URL to a new database, whose index 'npm run rebuild -- index' makes.",
  );

const noIndex = (): StartupError =>
  new StartupError(
    "Expected the database to have the index of this event store, which holds events, but the database is new; run 'npm run rebuild -- index' with the same settings, then start again.",
  );

const belongs = (whose: string, way: string): StartupError =>
  new StartupError(
    `Expected the database to be of this event store, but its index was made from ${whose}; ${way}, or set DATABASE_URL to an empty database.`,
  );
