import { randomBytes } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTestProcesses } from '../../scripts/test-processes.mjs';
import { bundleDashboard } from '../../scripts/dashboard.mjs';
import { transpile } from '../../scripts/transpile.mjs';
import { administer, makeTemplate } from './template.mjs';

// Prefers speed to safety, because the data does not outlive the run. Allows many connections, because each spec file
// opens its own pools.
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_wal_size=256MB',
  'max_connections=300',
  // A spec that counts statements switches it on for its own database.
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=none',
];
/** With TEST_PLANS=generic, as in `.ci/run`, each connection plans a statement once, whatever its values are (ADR 224). */
const PLANS = process.env.TEST_PLANS === 'generic' ? ['plan_cache_mode=force_generic_plan'] : [];
const PREFIX = 'waybill-test-';

/** Linux keeps its files in memory. Creating and dropping databases waits for the disk otherwise, most of the time of many specs. */
const MEMORY = '/dev/shm';
/** A run uses up to two. */
const ROOM_GB = 6;

/** Builds the programs that tests run as processes, and starts a Postgres for the run unless DATABASE_URL names one. */
export default async function setUp() {
  await transpile();
  await bundleDashboard();
  await buildTestProcesses();
  if (!process.env.DATABASE_URL) await startPostgres();
  process.env.DATABASE_URL = withPatience(process.env.DATABASE_URL);
  globalThis.dropTemplate = await makeTemplate();
}

/** Lets services wait for this database however busy the machine is, because it certainly exists. */
function withPatience(databaseUrl) {
  const url = new URL(databaseUrl);
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}

async function startPostgres() {
  const { startEmbeddedPostgres } = await import('../../dist/infrastructure/embedded-postgres/embedded-postgres.js');
  for (const folder of [tmpdir(), MEMORY])
    for (const name of leftovers(folder)) await remove(startEmbeddedPostgres, join(folder, name));
  // Not with mkdtemp(): it creates a folder that only its owner can enter, and as root, Postgres runs as another user.
  const dataDir = join(
    hasRoom(MEMORY) ? MEMORY : tmpdir(),
    `${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`,
  );
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log() {},
    postgresFlags: [...SETTINGS, ...PLANS].flatMap((s) => ['-c', s]),
  });
  process.env.DATABASE_URL = postgres.url;
  // A run connects 1,500 times, and the default of 4,096 hash rounds would take 5 ms each time.
  await administer(`set scram_iterations = 1; alter role postgres password '${new URL(postgres.url).password}'`);
  globalThis.stopTestPostgres = async () => {
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stopAndExit());
}

async function stopAndExit() {
  await globalThis.stopTestPostgres();
  process.exit(130);
}

function hasRoom(folder) {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM_GB * 2 ** 30;
  } catch {
    return false;
  }
}

/** The folders of killed test runs, whose servers may still run. */
function leftovers(folder) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.startsWith(PREFIX) && !isAlive(name.split('-')[2]));
}

function isAlive(pid) {
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function remove(startEmbeddedPostgres, dataDir) {
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, log() {} });
    await postgres.stop();
  } catch (error) {
    console.warn(`Expected to stop the server in '${dataDir}' of an earlier test run, but: ${error.message}`);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
