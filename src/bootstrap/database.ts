import type pg from 'pg';
import { ANSWER_MS, BUSY_MS, connectMsOf, connect } from '../infrastructure/database/connect.js';
import { assertUpToDate } from '../infrastructure/database/schema-version.js';
import { BUILD } from './functions.js';
import { databaseError, StartupError } from './startup-error.js';

export interface DatabaseOptions {
  /** If absent, the embedded Postgres in `dataDir` is started. */
  readonly databaseUrl?: string | undefined;
  readonly dataDir: string;
  /** How long it may take to bring the schema up to date. */
  readonly migrationMs?: number;
  /** Changes nothing: a schema that is not up to date is refused. */
  readonly readOnly?: boolean;
  /** Receives messages for people. */
  readonly log: (line: string) => void;
  /** Called if the embedded Postgres ends and cannot be started again. The message says what to do. */
  readonly onLost?: (error: StartupError) => void;
}

export interface Database {
  readonly url: string;
  /** From now on nothing that ends is started again. */
  stopWatching(): void;
  /** Stops what was started for it. Safe to call twice. */
  close(): Promise<void>;
}

/**
 * Connects to the database and brings its schema up to date. Throws `StartupError` for problems that a person can fix.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { databaseUrl } = options;
  const database = databaseUrl === undefined ? await embedded(options) : foreign(databaseUrl);
  const answerMs = connectMsOf(database.url, ANSWER_MS);
  try {
    const client = await connect(database.url, answerMs);
    await (options.readOnly ? lookAt(client) : bringUpToDate(client, database.url, options));
    return database;
  } catch (error) {
    await database.close();
    throw databaseError(error, database.url, answerMs);
  }
}

async function lookAt(client: pg.Client): Promise<void> {
  try {
    await assertUpToDate(client, BUILD);
  } finally {
    await client.end();
  }
}

async function bringUpToDate(client: pg.Client, url: string, { migrationMs, log }: DatabaseOptions): Promise<void> {
  // Imported late, because TypeORM takes long to load and an unusable database should be reported at once.
  const { migrate } = await import('../infrastructure/database/migrate.js');
  const options = { client, log, ...(migrationMs !== undefined && { withinMs: migrationMs }) };
  for (const name of await migrate(url, BUILD, options)) log(`Brought the schema up to ${name}`);
}

/** Imported only when used, because a production installation may leave the package out. */
async function embedded({ dataDir, log, onLost = ({ message }) => log(message) }: DatabaseOptions): Promise<Database> {
  const { startEmbeddedPostgres } = await import('../infrastructure/embedded-postgres/embedded-postgres.js');
  const { EmbeddedPostgresError } = await import('../infrastructure/embedded-postgres/errors.js');
  try {
    const onGivenUp = (error: Error): void => onLost(new StartupError(error.message, { cause: error }));
    const server = await startEmbeddedPostgres({ dataDir, log, watch: { onGivenUp } });
    return { url: withPatience(server.url), stopWatching: () => server.stopWatching(), close: () => server.stop() };
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? new StartupError(error.message, { cause: error }) : error;
  }
}

/** An embedded Postgres is known to run: if it is slow to answer, it, this process or the machine is busy. */
function withPatience(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('connect_timeout', String(BUSY_MS / 1_000));
  return url.href;
}

const foreign = (url: string): Database => ({ url, stopWatching: () => undefined, close: () => Promise.resolve() });
