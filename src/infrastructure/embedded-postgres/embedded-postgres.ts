import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionError, isMissingSocket } from '../../application/kernel/connection-errors.js';
import { launch, openCluster, runningPort, shutDown, urlOf, type Cluster } from './cluster.js';
import { EmbeddedPostgresError, hasCode, isRefusal, troubleWith, USE_ANOTHER_SERVER } from './trouble.js';

export interface EmbeddedPostgresOptions {
  /** The data is kept in `<dataDir>/postgres` between runs. */
  readonly dataDir: string;
  /** Receives messages for people. */
  readonly log: (line: string) => void;
  /** More arguments for `postgres`, such as `['-c', 'fsync=off']`, without blanks. They override Waybill's own. */
  readonly postgresFlags?: readonly string[];
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** Stops the server unless another process still uses it. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts a real Postgres on a loopback port and a socket of its own, or joins the one that already serves the data
 * folder. That one may have outlived a `kill -9` of its Waybill process, or belong to another running Waybill process.
 * The last process to stop it shuts the server down. Throws `EmbeddedPostgresError` for problems that a person can fix.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  try {
    const cluster = await openCluster(dataDir, options.log);
    return handleOf(cluster, await join(cluster, options), options);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw troubleWith(`keep the database in '${dataDir}'`, String(error));
  }
}

/** A connection whose shared lock shows other processes that this one uses the server. */
interface Seat {
  readonly url: string;
  readonly client: pg.Client;
  lost: boolean;
}

const LOCK = [0x77_61_79, 0x62_69_6c_6c]; // 'way', 'bill'

/** Tries until it has a seat. Between two attempts another process may start, stop or still recover the server. */
async function join(cluster: Cluster, { postgresFlags = [], log }: EmbeddedPostgresOptions): Promise<Seat> {
  for (let attempt = 1; attempt <= 600; attempt++) {
    const running = await runningPort(cluster);
    const port = running ?? (await launch(cluster, postgresFlags));
    const seat = port === undefined ? undefined : await takeSeat(await urlOf(cluster, port), log);
    if (seat) return seat;
    await pause(100);
  }
  throw new EmbeddedPostgresError(
    `Expected the embedded Postgres in '${cluster.folder}' to answer within a minute, but it does not; ` +
      `see 'server.log' there, or ${USE_ANOTHER_SERVER}.`,
  );
}

/** Returns undefined if the server does not accept connections, yet or any more. */
async function takeSeat(url: string, log: (line: string) => void): Promise<Seat | undefined> {
  const seat: Seat = { url, client: new pg.Client({ connectionString: url, keepAlive: true }), lost: false };
  seat.client.on('error', (error) => {
    if (!seat.lost) log(`Expected the embedded Postgres to keep running, but it closed a connection: ${error.message}`);
    seat.lost = true;
  });
  try {
    await seat.client.connect();
    await seat.client.query('SELECT pg_advisory_lock_shared($1, $2)', LOCK);
    return seat;
  } catch (error) {
    // 57P01 and 57P03: shutting down, starting or recovering.
    if (hasCode(error, 'ECONNREFUSED', 'ECONNRESET', '57P01', '57P03') || isMissingSocket(error)) return undefined;
    throw error;
  }
}

function handleOf(cluster: Cluster, seat: Seat, { log }: EmbeddedPostgresOptions): EmbeddedPostgres {
  let stopping: Promise<void> | undefined;
  return { url: seat.url, stop: () => (stopping ??= leave(cluster, seat, log)) };
}

async function leave(cluster: Cluster, seat: Seat, log: (line: string) => void): Promise<void> {
  const current = seat.lost ? await takeSeat(seat.url, log) : seat;
  if (!current) return;
  current.lost = true;
  if (await isLast(current)) await shutDown(cluster);
  await current.client.end().catch(() => undefined);
}

async function isLast({ client }: Seat): Promise<boolean> {
  try {
    await client.query('SELECT pg_advisory_unlock_shared($1, $2)', LOCK);
    const { rows } = await client.query<{ last: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS last', LOCK);
    return rows[0]?.last === true;
  } catch (error) {
    // Another process left between the two statements, found itself to be the last, and shut the server down.
    if (isConnectionError(error)) return false;
    throw error;
  }
}
