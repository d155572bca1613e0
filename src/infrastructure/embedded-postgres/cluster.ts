import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { findBinaries, type Binaries } from './binaries.js';
import { exists, makeFolder, moveIntoPlace, readIfExists, unlessMissing } from './files.js';
import { barrierOnTheWayTo, canEnter, give, makePrivateFolder, run, userFor, type SystemUser } from './system-user.js';
import { EmbeddedPostgresError, hasCode, errorFor, USE_ANOTHER_SERVER } from './errors.js';

/**
 * A database cluster on disk: `<folder>/{data,password,port,server.log}` and the server's socket, for its user only.
 */
export interface Cluster {
  readonly folder: string;
  readonly user: SystemUser;
  readonly binaries: Binaries;
  readonly password: string;
}

const SUPERUSER = 'postgres';

// fsync stays on, as it is by default: a committed event must survive a crash of the machine.
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  // The cluster's folder, which only its user can enter, as a path relative to the data. An absolute path could contain
  // blanks.
  'unix_socket_directories=..',
  'timezone=UTC',
  'max_connections=100',
  'shared_buffers=256MB',
  'max_wal_size=2GB',
  'wal_compression=on',
  // Waybill reports failed statements itself. With this, the log grows only by a few lines per start.
  'log_min_messages=log',
  'log_checkpoints=off',
];

const dataOf = (cluster: Cluster) => join(cluster.folder, 'data');

const socketOf = (folder: string, port: number): string => join(folder, `.s.PGSQL.${port}`);

/** The system's limit for the path of a socket. */
const SOCKET_PATH_BYTES = 103;

/**
 * The URL, with the server's socket if this process can use it. A statement costs a quarter less there than over the
 * loopback interface; batched work went 20% faster, single enqueues 40%. Without its `host` parameter the same URL
 * leads to the port.
 */
export async function urlOf({ folder, password }: Cluster, port: number): Promise<string> {
  const url = `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  const socket = socketOf(folder, port);
  const usable = process.platform !== 'win32' && Buffer.byteLength(socket) <= SOCKET_PATH_BYTES;
  return usable && (await exists(socket)) ? `${url}?host=${encodeURIComponent(folder)}` : url;
}

type FreeBytes = (folder: string) => Promise<number>;

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** The cluster in `<dataDir>/postgres`. Creates it if there is none. */
export async function openCluster(
  dataDir: string,
  log: (line: string) => void,
  free: FreeBytes = freeBytes,
): Promise<Cluster> {
  const folder = join(dataDir, 'postgres');
  await makeFolder(dataDir);
  const user = await userFor(folder);
  await assertReachable(dataDir, user);
  const binaries = await findBinaries(dataDir, user);
  if (!(await exists(folder))) {
    await assertSpace(folder, free);
    await create(folder, user, binaries, log);
  }
  return { folder, user, binaries, password: await readFile(join(folder, 'password'), 'utf8') };
}

async function assertReachable(dataDir: string, user: SystemUser): Promise<void> {
  if (await canEnter(dataDir, user)) return;
  throw new EmbeddedPostgresError(
    `Expected to keep the database in '${dataDir}', but Postgres refuses to run as root and its system user ` +
      `cannot enter '${await barrierOnTheWayTo(dataDir, user)}'; set WAYBILL_DATA_DIR to a folder outside of it, ` +
      `for example /var/lib/waybill, or ${USE_ANOTHER_SERVER}.`,
  );
}

/** Works in a temporary folder and renames it at the end, so that a cluster is either complete or absent. */
async function create(
  folder: string,
  user: SystemUser,
  binaries: Binaries,
  log: (line: string) => void,
): Promise<void> {
  log(
    `Creating the database in '${folder}'${user.uid === undefined ? '' : ` (as root: for the system user '${SUPERUSER}')`}.`,
  );
  const staging = `${folder}.${randomBytes(6).toString('hex')}`;
  await makePrivateFolder(staging, user);
  await initialise(staging, user, binaries).catch(async (error: unknown) => {
    await rm(staging, { recursive: true, force: true });
    throw error;
  });
  await moveIntoPlace(staging, folder);
}

/** A new cluster takes 40 MB, and its first write-ahead segments take 32 MB. */
const SPACE_BYTES = 128 * 2 ** 20;

async function assertSpace(folder: string, free: FreeBytes): Promise<void> {
  if ((await free(dirname(folder))) >= SPACE_BYTES) return;
  throw errorFor(`create the database in '${folder}'`, 'No space left on device');
}

async function initialise(folder: string, user: SystemUser, binaries: Binaries): Promise<void> {
  const password = join(folder, 'password');
  await writeFile(password, randomBytes(24).toString('hex'), { mode: 0o600 });
  await give(password, user);
  const args = [
    '--auth=scram-sha-256',
    `--username=${SUPERUSER}`,
    `--pwfile=${password}`,
    '--encoding=UTF8',
    '--locale=C',
  ];
  const { code, output } = await run(binaries.initdb, ['--pgdata', join(folder, 'data'), ...args], user);
  if (code !== 0) throw errorFor(`create the database in '${folder}'`, output);
}

/**
 * Another process is starting the server and may not have written its pid file yet, or has taken the port. Or the lock
 * of the socket is that of a crashed server whose end nobody has taken note of yet.
 */
const OTHERS_WERE_FASTER =
  /lock file ".+" already exists|postmaster\.pid" (already exists|is empty)|invalid data in PID file|Address already in use|pre-existing shared memory/;

/**
 * Starts the cluster's server and returns its port, or undefined if another process was faster, or the wanted port is in
 * use. The server is detached from this process: otherwise Ctrl-C would reach it too and stop it in the middle of
 * Waybill's own shutdown.
 */
export async function launch(
  cluster: Cluster,
  postgresFlags: readonly string[],
  wanted?: number,
): Promise<number | undefined> {
  const port = wanted ?? (await choosePort(cluster));
  const logFile = join(cluster.folder, 'server.log');
  const logged = (await unlessMissing(stat(logFile)))?.size ?? 0;
  const flags = [`-p ${port}`, ...SETTINGS.map((setting) => `-c ${setting}`), ...postgresFlags].join(' ');
  const { code, output } = await pgCtl(cluster, ['start', '-l', logFile, '-t', '300', '-o', flags]);
  if (code === 0) return port;
  const reason = output + ((await readIfExists(logFile)) ?? '').slice(logged);
  if (OTHERS_WERE_FASTER.test(reason)) return undefined;
  throw errorFor(`start the embedded Postgres in '${cluster.folder}'`, reason);
}

/** Closes the server's connections and stops it with everything written. Harmless if it is not running. */
export async function shutDown(cluster: Cluster): Promise<void> {
  const { code, output } = await pgCtl(cluster, ['stop', '-m', 'fast', '-t', '60']);
  if (code !== 0 && (await runningPort(cluster)) !== undefined) {
    throw errorFor(`stop the embedded Postgres in '${cluster.folder}'`, output);
  }
}

const pgCtl = (cluster: Cluster, args: readonly string[]) =>
  run(cluster.binaries.pgCtl, [...args, '-D', dataOf(cluster), '-w', '-s'], cluster.user);

const pidFileOf = (cluster: Cluster): string => join(dataOf(cluster), 'postmaster.pid');

/** What the server says of itself; undefined if it does not run, or has not written it yet. */
async function pidFile(cluster: Cluster) {
  const lines = ((await readIfExists(pidFileOf(cluster))) ?? '').split('\n');
  const [pid, , , port] = lines.map(Number);
  const sharedMemory = lines[6]?.trim().split(/\s+/)[1];
  return pid ? { pid, port: port!, sharedMemory, status: lines[7]?.trim() } : undefined;
}

/** Whether somebody has stopped the server, which still serves those who are connected. */
export const isStopping = async (cluster: Cluster): Promise<boolean> => (await pidFile(cluster))?.status === 'stopping';

/**
 * The port of the cluster's running server; undefined if none runs. If a crash left pid files whose number another
 * process now has, or which nobody has taken note of the end of, removes them. Postgres then starts without a look at
 * the processes of the crashed server, so they must be gone.
 */
export async function runningPort(cluster: Cluster): Promise<number | undefined> {
  const file = await pidFile(cluster);
  if (!file || !isAlive(file.pid)) return undefined;
  if (await runsIn(file.pid, dataOf(cluster))) return file.port;
  if (await isAttached(file.sharedMemory)) return undefined;
  const stale = [pidFileOf(cluster), `${socketOf(cluster.folder, file.port)}.lock`];
  await Promise.all(stale.map((path) => rm(path, { force: true })));
  return undefined;
}

/** Whether a process uses the segment of shared memory. False if the system cannot tell. */
async function isAttached(id: string | undefined): Promise<boolean> {
  const segments = ((await readIfExists('/proc/sysvipc/shm')) ?? '')
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  // The columns are the key, the id, the permissions, the size, two processes, and the number of those attached.
  return segments.some((columns) => columns[1] === id && Number(columns[6]) > 0);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Whether the process's working directory is the folder, as a server's is its data. True if the system cannot tell. */
async function runsIn(pid: number, folder: string): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const [actual, expected] = await Promise.all([stat(`/proc/${pid}/cwd`).catch(() => undefined), stat(folder)]);
  return actual?.dev === expected.dev && actual.ino === expected.ino;
}

/**
 * The port of the last run if it is free, so that addresses that people noted stay valid. Otherwise picks and stores
 * another one.
 */
async function choosePort(cluster: Cluster): Promise<number> {
  const file = join(cluster.folder, 'port');
  const last = Number((await readIfExists(file)) ?? 0);
  const port = (await bindable(last)) ?? (await bindable(0));
  if (port === undefined) throw errorFor('find a free port', 'none is free on 127.0.0.1');
  await writeFile(file, String(port));
  await give(file, cluster.user);
  return port;
}

function bindable(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
