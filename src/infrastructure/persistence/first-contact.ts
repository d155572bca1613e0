import type pg from 'pg';
import { GuardedClient } from './guarded-client.js';

/** With what is loaded before it, a start with a wrong DATABASE_URL ends within two seconds. */
export const ANSWER_MS = 750;

/** A connection; throws where the database does not let this process in, or does not answer in time. */
export async function contact(url: string): Promise<pg.Client> {
  const client = new GuardedClient({ connectionString: url, connectionTimeoutMillis: ANSWER_MS });
  await client.connect();
  return client;
}
