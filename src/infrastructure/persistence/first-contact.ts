import type pg from 'pg';
import { GuardedClient } from './guarded-client.js';

/** With what is loaded before it, a start with a wrong DATABASE_URL ends within two seconds. */
export const ANSWER_MS = 750;
/** Where a database is known to be: it, this process, or the machine may be busy. */
export const BUSY_MS = 10_000;

/** A connection; throws where the database does not let this process in, or does not answer in time. */
export async function contact(url: string, answerMs = ANSWER_MS): Promise<pg.Client> {
  const client = new GuardedClient({ connectionString: url, connectionTimeoutMillis: answerMs });
  await client.connect();
  return client;
}
