import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { isConnectionError, isMissingSocket } from '../../application/kernel/connection-errors.js';
import { launch, openCluster, runningPort, shutDown, urlOf, type Cluster } from './cluster.js';
import { EmbeddedPostgresError, hasCode, isRefusal, troubleWith, USE_ANOTHER_SERVER } from './trouble.js';

export interface EmbeddedPostgresOptions {
  /** The data stay in `<dataDir>/postgres` between runs. */
  readonly dataDir: string;
  /** Receives lines for people. */
  readonly log: (line: string) => void;
  /** More arguments for `postgres`, such as `['-c', 'fsync=off']`; none may hold a blank. They win over Waybill's own. */
  readonly postgresFlags?: readonly string[];
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** Stops the server unless another process still uses it; may be called repeatedly. */
  stop(): Promise<void>;
}

/**
 * Starts a real Postgres on a loopback port and a socket of its own, or joins the one that already serves the data
 * folder: one that outlived a `kill -9` of its Waybill process, or one that another Waybill process uses now. The last
 * process to stop it takes the server down. Whatever a person can put right is an EmbeddedPostgresError with one sentence.
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

/** A connection that shows other processes that this one uses the server, by a shared lock that it holds. */
interface Seat {
  readonly url: string;
  readonly client: pg.Client;
  lost: boolean;
}

const LOCK = [0x77_61_79, 0x62_69_6c_6c]; // 'way', 'bill'

/** Tries until it has a seat: between two looks another process may start, stop or still recover the server. */
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

/** Nothing when the server does not accept connections (any more, or yet). */
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
    // Whoever left between the two statements was the last, and has shut it down.
    if (isConnectionError(error)) return false;
    throw error;
  }
}
