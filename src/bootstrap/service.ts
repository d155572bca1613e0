import type { Logger } from 'pino';
import {
  type Config,
  ConfigError,
  describeConfig,
  describeGiven,
  type Environment,
  type LogFormat,
  readConfig,
} from './config.js';
import { createLog } from '../infrastructure/telemetry/pino-logger.js';
import { LogReader } from './log-reader.js';
import { type Server, startServer } from './server.js';
import { StartupError } from './startup-error.js';

/**
 * Runs the process: reads the environment, starts the service, and ends on a signal, or with exit code 1 and the
 * reason.
 */
export async function runService(env: Environment): Promise<void> {
  const reader = new LogReader();
  try {
    const config = readConfig(env);
    const log = logFor(config);
    tellSettings(config, log);
    const server = await startServer(config, log, fail);
    warnOfOpenDoor(config, server, log);
    warnOfUnnamed(config, log);
    stopOnSignals(server, log, config.shutdownGraceMs, reader);
    for (const line of whatWorks(server, config)) log.info({ context: 'Server' }, line);
  } catch (error) {
    fail(error);
  }
}

/** People read what is not as usual. Programs keep all, so that two logs can be compared. */
function tellSettings(config: Config, log: Logger): void {
  if (formatOf(config) === 'json') return log.info({ context: 'Config', ...describeConfig(config) }, 'Starting with');
  const given = describeGiven(config);
  const isUsual = Object.keys(given).length === 0;
  log.info({ context: 'Config', ...given }, isUsual ? 'Starting with the usual settings' : 'Starting with');
}

/** The line that tells people, after the start, what runs and where. */
const whatWorks = ({ url }: Server, { roles }: Config): string[] =>
  url
    ? [`Listening on ${url}`, `Dashboard: ${url}/dashboard/`, `API: ${url}/docs describes it`]
    : [`Working as ${roles.join(', ')}`];

const OF_THIS_MACHINE = ['127.0.0.1', '::1', 'localhost'];

function warnOfOpenDoor({ host, apiKeys }: Config, { url }: Server, log: Logger): void {
  if (url === null || apiKeys || OF_THIS_MACHINE.includes(host)) return;
  log.warn({ context: 'Server' }, 'Whoever reaches this address may do everything: WAYBILL_API_KEYS asks for API keys');
}

/** The two people who order and approve an erasure are told apart by their names, which a request without a key may choose. */
function warnOfUnnamed({ erasureApproval, apiKeys }: Config, log: Logger): void {
  if (!erasureApproval || apiKeys) return;
  log.warn(
    { context: 'Server' },
    'WAYBILL_ERASURE_APPROVAL asks for a second person, but without API keys one person can give two names: WAYBILL_API_KEYS asks for keys',
  );
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The time that the stores get after the grace time. A store that does not answer must not keep the process alive. */
export const STORES_MS = 10_000;

/**
 * npm forwards Ctrl-C to a process that already received it from the terminal. A signal within this time is that echo,
 * not a second Ctrl-C.
 */
export const ECHO_MS = 300;

/** The first signal stops the service in order, the second one at once. */
function stopOnSignals(server: Server, log: Logger, graceMs: number, reader: LogReader): void {
  let first: number | null = null;
  const stop = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (first !== null && now - first > ECHO_MS) process.exit(1);
    if (first !== null) return;
    first = now;
    log.info({ context: 'Server' }, `Stopping on ${signal}`);
    server.stop().then(() => process.exit(0), fail);
    setTimeout(giveUp, graceMs + STORES_MS, graceMs + STORES_MS).unref();
  };
  for (const signal of SIGNALS) {
    // Nest's own listeners would end the process before the embedded Postgres is stopped.
    process.removeAllListeners(signal);
    process.on(signal, stop);
  }
  // It may be noticed by the first line about the stop.
  reader.onGone(() => {
    if (first === null) stop('SIGPIPE');
  });
}

const formatOf = ({ logFormat }: Config): LogFormat => logFormat ?? (process.stdout.isTTY ? 'text' : 'json');

const logFor = (config: Config): Logger => createLog({ level: config.logLevel, format: formatOf(config) });

function giveUp(ms: number): never {
  console.error(
    `Expected to stop within ${ms} ms, but a store does not answer; the outcome of requests in progress is unknown.`,
  );
  process.exit(1);
}

/** Reports a problem that a person can fix without a stack. Any other error is a bug, and its stack is the report. */
function fail(error: unknown): never {
  const expected = error instanceof StartupError || error instanceof ConfigError;
  console.error(expected ? error.message : error);
  process.exit(1);
}
