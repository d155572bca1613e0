import type pg from 'pg';
import { GuardedClient } from './guarded-client.js';

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
 * Opens a connection whose statements time out. Throws if the database refuses this process or does not answer in time.
 */
export async function contact(url: string, answerMs = connectMsOf(url, ANSWER_MS)): Promise<pg.Client> {
  const client = new GuardedClient({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: BUSY_MS,
    // When a statement times out, only a pipelining client gives the connection up.
    pipeline: true,
  });
  await client.connect();
  return client;
}
