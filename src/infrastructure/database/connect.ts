import pg from 'pg';
import { GuardedClient } from './guarded-client.js';
import { markOf, openSession } from './session.js';
import { UnfitSession } from './unfit-session.js';
import { TEXT_TIMES } from './value-parsers.js';

/** Together with loading the program, this makes a start with a wrong DATABASE_URL fail within two seconds. */
export const ANSWER_MS = 750;
/** For a database that is known to exist: the database, this process or the machine may be busy. */
export const BUSY_MS = 10_000;

/** The time-out for connecting: `connect_timeout` of the URL, in seconds, as in other clients of Postgres. */
export function connectMsOf(url: string, otherwise: number): number {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'));
  return seconds > 0 ? seconds * 1_000 : otherwise;
}

/**
 * Opens a connection whose statements time out. Throws if the database refuses this process or does not answer in time,
 * and `UnfitSession` if a pooler does not let connections keep their sessions.
 */
export async function connect(url: string, answerMs = connectMsOf(url, ANSWER_MS)): Promise<pg.Client> {
  const client = await connected(url, answerMs);
  try {
    const { mark, isPooled } = await openSession(client, {}, BUSY_MS);
    if (isPooled) await assertKept(client, mark, await connected(url, answerMs), answerMs);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

async function connected(url: string, answerMs: number): Promise<pg.Client> {
  const client = new GuardedClient({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    application_name: 'waybill-start',
    query_timeout: BUSY_MS,
    // When a statement times out, only a pipelining client gives the connection up.
    pipeline: true,
    types: TEXT_TIMES,
  });
  await client.connect();
  return client;
}

/**
 * A pooler that lends sessions for a transaction gives that of an idle connection to the next one that begins a
 * transaction, which then finds the mark, or keeps the first connection from it.
 */
async function assertKept(client: pg.Client, mark: string, other: pg.Client, answerMs: number): Promise<void> {
  try {
    await other.query('begin').catch((error: unknown) => {
      throw new UnfitSession(`refuses a transaction (${(error as Error).message})`, { cause: error });
    });
    await openSession(other, {}, answerMs);
    const found = await markOf(client, answerMs).catch(() => null);
    if (found !== mark) throw new UnfitSession('dropped the settings of a session between two statements');
  } finally {
    await other.end();
  }
}
