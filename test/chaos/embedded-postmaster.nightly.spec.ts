import { chmod, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/infrastructure/embedded-postgres/embedded-postgres.js';
import { violationsOf } from '../support/history-checker.js';
import { until } from '../support/until.js';
import { abandon, defineQueues, enqueue, startWorker } from './load.js';
import { Run } from './run.js';
import { freePort } from './ports.js';
import { type ServiceProcess } from './service-process.js';

const KILLS = 2;
const log = (): void => undefined;

/** The process id of the server that keeps its data there; null while none runs. */
async function postmaster(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || null;
}

const statusOf = async ({ url }: ServiceProcess): Promise<number> => (await fetch(`${url}/healthz/ready`)).status;

describe('the service on its embedded Postgres', () => {
  let run: Run;
  let folder: string;
  let one: ServiceProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-embedded-'));
    // As root, Postgres runs as another user, which must be able to enter the folder.
    await chmod(folder, 0o755);
    const { url } = await startEmbeddedPostgres({ dataDir: folder, log });
    run = await Run.open({ url, drop: () => rm(folder, { recursive: true, force: true }) });
  });
  afterAll(() => run.close(), 120_000);

  async function service(): Promise<ServiceProcess> {
    const env = { DATABASE_URL: '', WAYBILL_DATA_DIR: folder };
    return run.service({ module: 'src/main.ts', port: await freePort(), env }).ready();
  }

  async function kill(): Promise<number> {
    const pid = (await postmaster(folder))!;
    process.kill(pid, 'SIGKILL');
    return pid;
  }

  it('goes on without loss when the server is killed under load, and is not ready meanwhile', async () => {
    one = await service();
    const waybill = run.client(one.url);
    await defineQueues(waybill);
    const worker = await startWorker(waybill, { name: 'w', leaseMs: 2_000 });
    for (let kills = 0; kills < KILLS; kills++) {
      const enqueued = enqueue(waybill, 200);
      await run.answered('enqueueTasks', 5);
      await abandon(waybill, 1_000);
      const before = await kill();
      await until('the service not to be ready', async () => (await statusOf(one)) === 503 || null);
      await one.ready();
      expect(await postmaster(folder)).not.toBe(before);
      await enqueued;
    }
    await run.settled(120_000);
    await worker.stop();
    expect(one.end).toBeNull();
    expect(run.statuses().filter((status) => status >= 500 && status !== 503)).toEqual([]);
    expect(violationsOf(await run.history())).toEqual([]);
  }, 300_000);

  it('ends with the reason when the server cannot be started again', async () => {
    const version = join(folder, 'postgres/data/PG_VERSION');
    await rename(version, `${version}.away`);
    await kill();
    expect(await one.ended).toEqual({ code: 1, signal: null });
    expect(one.errors).toMatch(/Expected to keep the embedded Postgres running, but 6 attempts .* in vain/);
    expect(one.errors).toMatch(/is not a database cluster directory/);
    await rename(`${version}.away`, version);
  });

  it('starts nothing again while it stops', async () => {
    const other = await service();
    other.signal('SIGTERM');
    await kill();
    expect(await other.ended).toMatchObject({ signal: null });
    expect(other.errors).not.toContain('Starting it again');
    await expect(run.pool.query('select 1')).rejects.toBeDefined();
  });
});
