import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type pg from 'pg';
import {
  type Config,
  ConfigError,
  describeConfig,
  type Environment,
  hostInUrl,
  readConfig,
} from '../bootstrap/config.js';
import { BUILD } from '../bootstrap/functions.js';
import { triedToListen } from '../bootstrap/listening.js';
import { databaseError, listenError } from '../bootstrap/startup-error.js';
import { ANSWER_MS, connect, connectMsOf } from '../infrastructure/database/connect.js';
import { mayMigrate } from '../infrastructure/database/rights.js';
import { isUpToDate } from '../infrastructure/database/schema-version.js';
import { UnfitSession } from '../infrastructure/database/unfit-session.js';

/** What was found out about one thing. `fault`: it does not work. `warning`: it works, and somebody should look. */
export interface Finding {
  readonly name: string;
  readonly verdict: 'ok' | 'warning' | 'fault';
  readonly says: string;
  /** What to do about it. */
  readonly todo?: string;
}

const CLOCK_MS = 2_000;
const SMTP_MS = 5_000;

/** Whether a service would start with the settings, one finding after the other. Changes nothing, and starts nothing. */
export async function* diagnose(env: Environment): AsyncGenerator<Finding> {
  yield ok('node', `${process.version} on ${process.platform}-${process.arch}`);
  const config = checked(env);
  if (config instanceof ConfigError) {
    for (const problem of config.problems) yield fault('settings', problem, "see 'waybill config check'");
    return;
  }
  yield ok('settings', 'complete');
  yield* config.databaseUrl === undefined ? embedded(config) : foreign(config.databaseUrl);
  yield await port(config);
  yield await mail(config);
}

function checked(env: Environment): Config | ConfigError {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** Its own Postgres runs as long as the service does. So what can be looked at is whether it could start. */
async function* embedded({ dataDir }: Config): AsyncGenerator<Finding> {
  const { installedPackage } = await import('../infrastructure/embedded-postgres/binaries.js');
  const folder = resolve(dataDir);
  try {
    installedPackage();
    await access(await existing(folder), constants.W_OK);
    yield ok('database', `a Postgres of its own in ${folder}; DATABASE_URL names another`);
  } catch (error) {
    const { message } = error as Error;
    yield fault('database', message, 'set WAYBILL_DATA_DIR to a folder of this user, or DATABASE_URL to a Postgres');
  }
}

/** The folder, or the nearest one above it that exists. */
async function existing(folder: string): Promise<string> {
  const isThere = await access(folder).then(
    () => true,
    () => dirname(folder) === folder,
  );
  return isThere ? folder : existing(dirname(folder));
}

async function* foreign(url: string): AsyncGenerator<Finding> {
  const answerMs = connectMsOf(url, ANSWER_MS);
  try {
    const client = await connect(url, answerMs);
    try {
      yield await server(client);
      yield await rights(client);
      yield await databaseClock(client);
    } finally {
      await client.end();
    }
  } catch (error) {
    const known = databaseError(error, url, answerMs);
    if (known === error) throw error;
    const name = error instanceof UnfitSession ? 'pooler' : 'database';
    yield faultIn(name, (known as Error).message);
  }
}

async function server(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ version: string; at: string }>(
    `select current_setting('server_version') as version, format('%s, database %s', current_user, current_database()) as at`,
  );
  return ok('database', `Postgres ${rows[0]!.version} as ${rows[0]!.at}, with sessions of its own`);
}

/** Throws `SchemaError` if the role lacks what a start needs. */
async function rights(client: pg.Client): Promise<Finding> {
  const may = await mayMigrate(client, BUILD);
  if (await isUpToDate(client, BUILD)) return ok('schema', `version ${BUILD.version}, and this build's functions`);
  if (may) return ok('schema', `the next start brings it up to version ${BUILD.version}`);
  return fault('schema', 'it is not that of this build, and the role may not change it', "run 'waybill migrate'");
}

async function databaseClock(client: pg.Client): Promise<Finding> {
  const sent = Date.now();
  const { rows } = await client.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms');
  const apart = Math.abs(Number(rows[0]!.ms) - (sent + Date.now()) / 2);
  if (apart <= CLOCK_MS) return ok('clock', 'the database and this machine agree');
  const says = `the database and this machine are ${(apart / 1_000).toFixed(1)} s apart`;
  return { name: 'clock', verdict: 'warning', says, todo: 'set both by NTP: due times are those of the database' };
}

async function port({ host, port: number, roles }: Config): Promise<Finding> {
  if (!roles.includes('api')) return ok('port', 'none, without the role api');
  const at = `${hostInUrl(host)}:${number}`;
  const error = await triedToListen(host, number);
  if (error === null) return ok('port', `${at} is free`);
  const answers = await fetch(`http://${at}/healthz/live`, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok: isWell }) => isWell,
    () => false,
  );
  if (answers) return ok('port', `a service listens on ${at}`);
  return faultIn('port', (listenError(error, host, number) as Error).message);
}

async function mail({ smtpUrl }: Config): Promise<Finding> {
  if (smtpUrl === undefined)
    return ok('mail', 'none: WAYBILL_SMTP_URL names no server, so deliveries by mail are refused');
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: SMTP_MS,
    greetingTimeout: SMTP_MS,
    socketTimeout: SMTP_MS,
  });
  try {
    await transport.verify();
    return ok('mail', 'the server answers, and takes the user');
  } catch (error) {
    const says = `the server cannot be used: ${(error as Error).message}`;
    return fault('mail', says, 'correct WAYBILL_SMTP_URL, or ask who runs the server');
  } finally {
    transport.close();
  }
}

const ok = (name: string, says: string): Finding => ({ name, verdict: 'ok', says });
const fault = (name: string, says: string, todo: string): Finding => ({ name, verdict: 'fault', says, todo });

/** The message ends with what to do, behind a semicolon. */
function faultIn(name: string, message: string): Finding {
  const at = message.lastIndexOf('; ');
  return at < 0 ? { name, verdict: 'fault', says: message } : fault(name, message.slice(0, at), message.slice(at + 2));
}

/** Runs `waybill config check`: the settings as they are taken, with secrets masked, or what is wrong with them. */
export function checkConfig(
  env: Environment,
): { readonly settings: Record<string, unknown> } | { readonly problems: readonly string[] } {
  const config = checked(env);
  return config instanceof ConfigError ? { problems: config.problems } : { settings: describeConfig(config) };
}
