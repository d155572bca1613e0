import type { Logger } from 'pino';
import type { App } from './app.js';
import type { Config } from './config.js';
import { type Database, openDatabase } from './database.js';
import { openEventStore } from './event-store.js';
import { triedToListen } from './listening.js';
import { listenError, type StartupError } from './startup-error.js';

export interface Server {
  /** The address of the API; null without the role `api`. */
  readonly url: string | null;
  /** Refuses new requests, finishes those in progress, then closes. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts the process's roles. Throws `StartupError` for problems that a person can fix. `onLost`: called if the embedded
 * Postgres ends and cannot be started again.
 */
export async function startServer(
  config: Config,
  log: Logger,
  onLost: (error: StartupError) => void = ({ message }) => log.fatal(message),
): Promise<Server> {
  const { databaseUrl, dataDir, migrationMs, eventStoreUrl, eventStorePrefix, subjectKeyFile } = config;
  const toLog = (line: string): void => log.info(line);
  if (config.roles.includes('api')) await assertListenable(config);
  const database = await openDatabase({ databaseUrl, dataDir, migrationMs, log: toLog, onLost });
  try {
    const { url } = database;
    const tell = { log: toLog, warn: (line: string): void => log.warn(line) };
    const events = { eventStoreUrl, eventStorePrefix, subjectKeyFile };
    const externalEventStore = await openEventStore({ ...events, databaseUrl: url, ...tell });
    // Imported late, because Nest and the service take a second to load, and problems that a person can fix should be
    // reported before that.
    const { startApp } = await import('./app.js');
    const app = await startApp(config, { databaseUrl: url, externalEventStore }, log);
    return { url: app.url, stop: stopOnce(app, database) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Runs before a database is created. Another process may still take the address afterwards; `listen` then fails with
 * the same message.
 */
async function assertListenable({ host, port }: Config): Promise<void> {
  const error = await triedToListen(host, port);
  if (error) throw listenError(error, host, port);
}

function stopOnce(app: App, database: Database): () => Promise<void> {
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    database.stopWatching();
    await app.close();
    await database.close();
  };
  return () => (stopping ??= stop());
}
