import pg from 'pg';
import { masked } from './config.js';
import { type StoreIdentity, storeIdentity } from './infrastructure/event-store/eventstoredb/store-identity.js';
import { isOutOfReach } from './infrastructure/event-store/eventstoredb/trouble.js';
import { pause } from './infrastructure/projection-engine/backoff.js';
import { StartupError } from './startup-error.js';

export interface EventStoreOptions {
  /** Absent: the events are in the database. */
  readonly eventStoreUrl?: string | undefined;
  readonly eventStorePrefix: string;
  readonly databaseUrl: string;
  /** Receives lines for people. */
  readonly log: (line: string) => void;
}

/** Where the events are, when they are not in the database. */
export interface OtherStore {
  readonly url: string;
  readonly prefix: string;
  /** Nothing of ours is before this position. */
  readonly since: bigint;
}

/** A server that nobody listens for is told at once; one that starts is waited for. */
const ANSWER_MS = 2_000;
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

/**
 * Checks that the event store answers and that the database's index was made from it; null where the events are in the
 * database. Throws `StartupError` where a person can put it right.
 */
export async function openEventStore(options: EventStoreOptions): Promise<OtherStore | null> {
  const { eventStoreUrl: url, eventStorePrefix: prefix, databaseUrl, log } = options;
  const identity = url === undefined ? null : await reach(url, prefix, log);
  await claimDatabase(databaseUrl, identity?.id ?? null);
  return url === undefined || !identity ? null : { url, prefix, since: identity.since };
}

async function reach(url: string, prefix: string, log: (line: string) => void): Promise<StoreIdentity> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await storeIdentity(url, prefix, ANSWER_MS);
    } catch (error) {
      const { message } = error as Error;
      if (!isOutOfReach(error)) throw trouble(url, `the store says: ${message}`, error);
      if (!isStarting(message) || performance.now() > until) throw trouble(url, whyAway(message), error);
      log(`The event store at '${masked(url)}' is not ready yet (${message}); trying again`);
      await pause(PAUSE_MS, new AbortController().signal);
    }
  }
}

/** It is there, and cannot serve yet. */
const isStarting = (message: string): boolean => /not ready|no leader|too busy|not leader/i.test(message);

const whyAway = (message: string): string =>
  /No connection established|ECONNREFUSED|ENOTFOUND|Name resolution|Failed to discover/i.test(message)
    ? 'nothing answers there'
    : 'it does not answer in time';

const trouble = (url: string, reason: string, cause: unknown): StartupError =>
  new StartupError(
    `Expected to use the event store at '${masked(url)}', but ${reason}; set EVENT_STORE_URL to an EventStoreDB that this process may use.`,
    { cause },
  );

/** A database belongs to the store that its rows and checkpoints were made from: those of another one mean nothing. */
async function claimDatabase(databaseUrl: string, identity: string | null): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('select id from event_store');
    const known = rows[0]?.id ?? null;
    if (known === identity) return;
    if (identity === null) throw belongs('an EventStoreDB', 'set EVENT_STORE_URL to that');
    if (known !== null) throw belongs('another EventStoreDB', 'set EVENT_STORE_URL to that');
    const { rows: used } = await client.query('select 1 from events limit 1');
    if (used.length > 0) throw belongs('the events that it holds itself', 'leave EVENT_STORE_URL out');
    await client.query('insert into event_store (id) values ($1) on conflict do nothing', [identity]);
  } finally {
    await client.end();
  }
}

const belongs = (whose: string, way: string): StartupError =>
  new StartupError(
    `Expected the database to be of this event store, but its index was made from ${whose}; ${way}, or set DATABASE_URL to an empty database.`,
  );
