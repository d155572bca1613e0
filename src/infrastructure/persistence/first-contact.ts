import pg from 'pg';

/** With what is loaded before it, a start with a wrong DATABASE_URL ends within two seconds. */
export const ANSWER_MS = 750;

/** A connection; throws where the database does not let this process in, or does not answer in time. */
export async function contact(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS });
  // Without a listener a connection lost between two statements would end the process; the next statement tells of it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
