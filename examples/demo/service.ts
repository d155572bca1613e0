import { Config, readConfig } from '#waybill/bootstrap/config.js';
import { type Database, openDatabase } from '#waybill/bootstrap/database.js';
import { makeFolder } from '#waybill/infrastructure/embedded-postgres/files.js';
import { isRefusal, knownCause } from '#waybill/infrastructure/embedded-postgres/errors.js';
import { createLog } from '#waybill/infrastructure/telemetry/pino-logger.js';
import { triedToListen } from '#waybill/bootstrap/listening.js';
import { type Server, startServer } from '#waybill/bootstrap/server.js';
import { STORES_MS } from '#waybill/bootstrap/service.js';
import { StartupError } from '#waybill/bootstrap/startup-error.js';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { STOP_SIGNALS } from './stop-signal.js';

/** The whole service in this process, with its database. */
export interface Service {
  readonly url: string;
  readonly databaseUrl: string;
  /** Null if DATABASE_URL names a Postgres. */
  readonly embeddedIn: string | null;
  readonly logFile: string;
  stop(): Promise<void>;
}

/** The configuration of the demo's service: the environment's, with every role, on the requested port. */
export function demoConfig(env: NodeJS.ProcessEnv, port: number): Config {
  const config = readConfig({ ...env, PORT: String(port), WAYBILL_ROLES: '' });
  return Object.assign(config, { dataDir: resolve(config.dataDir) });
}

/** Starts the database, brings its schema up to date, and starts all roles. Logs to a file in the data folder. */
export async function startService(config: Config): Promise<Service> {
  const logFile = join(config.dataDir, 'service.log');
  const file = await openLogFile(logFile);
  const log = createLog({ level: config.logLevel, format: config.logFormat ?? 'text', destination: file });
  const { databaseUrl, dataDir, migrationMs } = config;
  const database = await openDatabase({ databaseUrl, dataDir, migrationMs, log: (line) => log.info(line) });
  try {
    const isTaken = (await triedToListen(config.host, config.port))?.code === 'EADDRINUSE';
    const port = isTaken ? 0 : config.port;
    const settled = Object.assign(new Config(), config, { port, databaseUrl: database.url });
    const server = await keepingSignals(() => startServer(settled, log));
    const embeddedIn = databaseUrl === undefined ? join(dataDir, 'postgres') : null;
    const stop = () => stopAll(server, database, file, config.shutdownGraceMs + STORES_MS);
    return { url: server.url!, databaseUrl: database.url, embeddedIn, logFile, stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function openLogFile(path: string): Promise<WriteStream> {
  try {
    await makeFolder(dirname(path));
    const file = createWriteStream(path, { flags: 'a' });
    await once(file, 'open');
    // The demo continues without its log.
    return file.on('error', (error) => process.stderr.write(`${logTrouble(path, error).message}\n`));
  } catch (error) {
    throw isRefusal(error) ? logTrouble(path, error) : error;
  }
}

function logTrouble(path: string, error: Error): StartupError {
  const cause = knownCause(String(error)) ?? `${error.message}; set WAYBILL_DATA_DIR to another folder`;
  return new StartupError(`Expected to write the log to '${path}', but ${cause}.`, { cause: error });
}

/** A store that does not answer must not keep the demo alive. */
export async function stopAll(
  server: Pick<Server, 'stop'>,
  database: Pick<Database, 'close'>,
  log: WriteStream,
  ms: number,
): Promise<void> {
  if (!(await isDoneWithin(server.stop(), ms)))
    process.stderr.write(`Expected the service to stop within ${ms} ms, but a store does not answer.\n`);
  await database.close();
  await new Promise<void>((resolve) => log.end(resolve));
}

async function isDoneWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const over = new AbortController();
  const late = pause(ms, false, { signal: over.signal }).catch(() => false);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    over.abort();
  }
}

/**
 * Removes the listeners that Nest adds, because they would end the process on a signal before the workers and Postgres
 * are stopped.
 */
async function keepingSignals<T>(start: () => Promise<T>): Promise<T> {
  const kept = STOP_SIGNALS.map((signal) => process.listeners(signal));
  try {
    return await start();
  } finally {
    STOP_SIGNALS.forEach((signal, index) => {
      process.removeAllListeners(signal);
      for (const listener of kept[index]!) process.on(signal, listener);
    });
  }
}
