import { ANSWER_MS, BUSY_MS, connectMsOf, contact } from '../infrastructure/database/first-contact.js';
import { FUNCTIONS } from './functions.js';
import { databaseTrouble, StartupError } from './startup-error.js';

export interface DatabaseOptions {
  /** Absent: the embedded Postgres in `dataDir`. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
  /** Receives lines for people. */
  readonly log: (line: string) => void;
}

export interface Database {
  readonly url: string;
  /** Stops what was started for it. May be called twice. */
  close(): Promise<void>;
}

/** The database, reachable and with its schema up to date. Throws `StartupError` where a person can put it right. */
export async function openDatabase({ databaseUrl, dataDir, log }: DatabaseOptions): Promise<Database> {
  const database = databaseUrl === undefined ? await embedded(dataDir, log) : foreign(databaseUrl);
  const answerMs = connectMsOf(database.url, ANSWER_MS);
  try {
    const client = await contact(database.url, answerMs);
    // Only now: TypeORM takes long to load, and a database that cannot be used should not wait for it.
    const { migrate } = await import('../infrastructure/database/data-source.js');
    for (const name of await migrate(database.url, FUNCTIONS, { client, log })) log(`Brought the schema up to ${name}`);
    return database;
  } catch (error) {
    await database.close();
    throw databaseTrouble(error, database.url, answerMs);
  }
}

/** Loaded only when it is used: production may leave its packages out. */
async function embedded(dataDir: string, log: (line: string) => void): Promise<Database> {
  const { startEmbeddedPostgres } = await import('../infrastructure/embedded-postgres/embedded-postgres.js');
  const { EmbeddedPostgresError } = await import('../infrastructure/embedded-postgres/trouble.js');
  try {
    const server = await startEmbeddedPostgres({ dataDir, log });
    return { url: withPatience(server.url), close: () => server.stop() };
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? new StartupError(error.message, { cause: error }) : error;
  }
}

/** It is known to be there: it, this process, or the machine may be busy. */
function withPatience(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('connect_timeout', String(BUSY_MS / 1_000));
  return url.href;
}

const foreign = (url: string): Database => ({ url, close: () => Promise.resolve() });
