import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTestProcesses } from '../../scripts/test-processes.mjs';
import { bundleDashboard } from '../../scripts/dashboard.mjs';
import { transpile } from '../../scripts/transpile.mjs';
import { administer, makeTemplate } from './template.mjs';

// Speed for safety: the data do not outlive the run. Many connections: each spec file brings pools of its own.
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'];
const PREFIX = 'waybill-test-';

/** Builds what tests run in processes of their own, and gives the run a Postgres of its own, unless DATABASE_URL names one. */
export default async function setUp() {
  await transpile();
  await bundleDashboard();
  await buildTestProcesses();
  if (!process.env.DATABASE_URL) await startPostgres();
  process.env.DATABASE_URL = withPatience(process.env.DATABASE_URL);
  globalThis.dropTemplate = await makeTemplate();
}

/** However busy the machine is: a service that starts on this database, which is there, waits for it. */
function withPatience(databaseUrl) {
  const url = new URL(databaseUrl);
  url.searchParams.set('connect_timeout', '60');
  return url.href;
}

async function startPostgres() {
  const { startEmbeddedPostgres } = await import('../../dist/infrastructure/embedded-postgres/embedded-postgres.js');
  for (const name of leftovers()) await remove(startEmbeddedPostgres, join(tmpdir(), name));
  // Not mkdtemp(): it makes a folder that only its maker can enter, and as root Postgres runs as another user.
  const dataDir = join(tmpdir(), `${PREFIX}${process.pid}-${randomBytes(6).toString('hex')}`);
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log() {},
    postgresFlags: SETTINGS.flatMap((s) => ['-c', s]),
  });
  process.env.DATABASE_URL = postgres.url;
  // A run connects 1,500 times, and each time 4,096 rounds of a hash are 5 ms.
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

/** The folders of test runs that were killed; their servers may still run. */
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
