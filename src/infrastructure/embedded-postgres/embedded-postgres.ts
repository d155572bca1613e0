import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isStopping, launch, openCluster, runningPort, shutDown, urlOf, type Cluster } from './cluster.js';
import { SharedServerLock } from './shared-server-lock.js';
import { EmbeddedPostgresError, isRefusal, errorFor, USE_ANOTHER_SERVER } from './errors.js';
import { Watch, type WatchedServer, type WatchOptions } from './watch.js';

export interface EmbeddedPostgresOptions {
  /** The data is kept in `<dataDir>/postgres` between runs. */
  readonly dataDir: string;
  /** Receives messages for people. */
  readonly log: (line: string) => void;
  /** More arguments for `postgres`, such as `['-c', 'fsync=off']`, without blanks. They override Waybill's own. */
  readonly postgresFlags?: readonly string[];
  /** If present, the server is started again whenever it ends, until it is stopped here. */
  readonly watch?: WatchOptions;
}

export interface EmbeddedPostgres {
  readonly url: string;
  /** From now on the server is not started again if it ends. */
  stopWatching(): void;
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
    throw errorFor(`keep the database in '${dataDir}'`, String(error));
  }
}

/** The pauses between two looks at a server that does not answer yet, and how many there are: a minute. */
const LOOK_MS = 100;
const LOOKS = 600;

/**
 * Tries until it has the lock. Between two attempts another process may start, stop or still recover the server. `port`:
 * where it must be; absent if it may be anywhere.
 */
async function join(
  cluster: Cluster,
  { postgresFlags = [] }: EmbeddedPostgresOptions,
  { port: wanted, signal }: { readonly port?: number; readonly signal?: AbortSignal } = {},
): Promise<SharedServerLock> {
  for (let look = 0; look < LOOKS; look++) {
    signal?.throwIfAborted();
    const port = (await runningPort(cluster)) ?? (await launch(cluster, postgresFlags, wanted));
    if (port !== undefined && port !== (wanted ?? port)) throw movedTo(port, wanted!);
    const lock = port === undefined ? undefined : await SharedServerLock.take(await urlOf(cluster, port));
    if (lock) return lock;
    await pause(LOOK_MS);
  }
  throw new EmbeddedPostgresError(
    `Expected the embedded Postgres in '${cluster.folder}' to answer within a minute, but it does not; ` +
      `see 'server.log' there, or ${USE_ANOTHER_SERVER}.`,
  );
}

const movedTo = (port: number, wanted: number): EmbeddedPostgresError =>
  new EmbeddedPostgresError(
    `Expected the embedded Postgres to be at port ${wanted}, but another process has started it at ${port}; ` +
      'start this process again.',
  );

function handleOf(cluster: Cluster, lock: SharedServerLock, options: EmbeddedPostgresOptions): EmbeddedPostgres {
  const watch = options.watch && new Watch(lock, watched(cluster, lock.url, options), options.watch, options.log);
  const end = async (): Promise<void> => leave(cluster, watch ? await watch.end() : lock);
  let stopping: Promise<void> | undefined;
  return { url: lock.url, stopWatching: () => watch?.stop(), stop: () => (stopping ??= end()) };
}

const watched = (cluster: Cluster, url: string, options: EmbeddedPostgresOptions): WatchedServer => ({
  rejoin: (signal) => join(cluster, options, { port: Number(new URL(url).port), signal }),
  endIfStopping: async () => {
    if (await isStopping(cluster)) await shutDown(cluster);
  },
});

async function leave(cluster: Cluster, lock: SharedServerLock): Promise<void> {
  const current = await lock.ifServed();
  if (!current) return;
  if ((await current.giveUp()).wasLast) await shutDown(cluster);
  await current.leave();
}
