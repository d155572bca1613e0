import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
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
  'max_connections=300',
  // A spec that counts statements switches it on for its own database.
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track=none',
];
const PREFIX = 'waybill-test-';

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
  for (const name of leftovers()) await remove(startEmbeddedPostgres, join(tmpdir(), name));
  // Not with mkdtemp(): it creates a folder that only its owner can enter, and as root, Postgres runs as another user.
  const dataDir = join(tmpdir(), `${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log() {},
    postgresFlags: SETTINGS.flatMap((s) => ['-c', s]),
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

/** The folders of killed test runs, whose servers may still run. */
function leftovers() {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX) && !isAlive(name.split('-')[2]));
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
