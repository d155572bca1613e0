import type pg from 'pg';
import { GuardedClient } from './guarded-client.js';

/** With what is loaded before it, a start with a wrong DATABASE_URL ends within two seconds. */
export const ANSWER_MS = 750;
/** Where a database is known to be: it, this process, or the machine may be busy. */
export const BUSY_MS = 10_000;

/** How long a connection may take to come about: as long as the URL says, in seconds, as other clients of Postgres understand it. */
export function connectMsOf(url: string, otherwise: number): number {
  const seconds = Number(new URL(url).searchParams.get('connect_timeout'));
  return seconds > 0 ? seconds * 1_000 : otherwise;
}

/**
 * A connection, which is given up where a statement has no answer in time; throws where the database does not let this process
 * in, or does not answer to that in time.
 */
export async function contact(url: string, answerMs = connectMsOf(url, ANSWER_MS)): Promise<pg.Client> {
  const client = new GuardedClient({
    connectionString: url,
    connectionTimeoutMillis: answerMs,
    query_timeout: BUSY_MS,
    // Where a statement has its time-out, only a client that pipelines gives its connection up.
    pipeline: true,
  });
  await client.connect();
  return client;
}
