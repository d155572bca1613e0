import { mkdtemp, rm, chmod } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, openCluster } from '../../src/infrastructure/embedded-postgres/cluster.js';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/infrastructure/embedded-postgres/embedded-postgres.js';
import { run as runProgram } from '../../src/infrastructure/embedded-postgres/system-user.js';
import { violationsOf } from '../support/history-checker.js';
import { defineQueues, enqueue, startWorker } from './load.js';
import { Run } from './run.js';

/** The test's own Postgres, as durable as in production, which loses its power while the service works. */
describe('given a Postgres that restarts under the service', () => {
  let dataDir: string;
  let postgres: EmbeddedPostgres;
  let cluster: Cluster;
  let run: Run;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'waybill-chaos-'));
    // As root, Postgres runs as another user, which must be able to enter the folder.
    await chmod(dataDir, 0o755);
    postgres = await startEmbeddedPostgres({ dataDir, log: () => undefined });
    cluster = await openCluster(dataDir, () => undefined);
    const url = new URL(postgres.url);
    url.searchParams.set('connect_timeout', '60');
    run = await Run.open({ url: url.href, drop: () => Promise.resolve() });
  }, 120_000);

  afterAll(async () => {
    await run.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }, 120_000);

  /** Without a checkpoint: whatever is not in the write-ahead log is lost. */
  async function pgCtl(...args: readonly string[]): Promise<void> {
    const log = join(cluster.folder, 'server.log');
    const { code, output } = await runProgram(
      cluster.binaries.pgCtl,
      [...args, '-D', join(cluster.folder, 'data'), '-l', log, '-w', '-s'],
      cluster.user,
    );
    if (code !== 0) throw new Error(`Expected pg_ctl ${args.join(' ')} to succeed, but: ${output}`);
  }

  it('answers 503 with Retry-After, recovers by itself, and has lost nothing acknowledged', async () => {
    const service = await run.service().ready();
    const waybill = run.client();
    await defineQueues(waybill);
    const worker = await startWorker(waybill, { name: 'w', leaseMs: 5_000 });
    for (let restarts = 0; restarts < 3; restarts++) {
      // Independent tasks: however fast they are claimed, five more remain for the next restart to interrupt.
      const enqueued = enqueue(waybill, 200);
      await run.answered('enqueueTasks', 5);
      await pgCtl('restart', '-m', 'immediate');
      await enqueued;
    }

    await pgCtl('stop', '-m', 'immediate');
    const answers = await Promise.all(
      ['/healthz/ready', '/metrics', '/v1/tasks', '/v1/queues/plain', '/v1/queues/plain/stats', '/v1/events'].map(
        (path) => fetch(run.url + path),
      ),
    );
    const refused = answers.map(({ status, headers }) => [status, headers.get('retry-after')]);
    expect(refused).toEqual(answers.map(() => [503, '1']));
    // A command is retried for a while before it is given up.
    const command = await fetch(`${run.url}/v1/queues/plain/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([command.status, command.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await fetch(`${run.url}/healthz/live`)).status).toBe(200);
    // Unlike `start`, this uses the port and the settings of the last start.
    await pgCtl('restart');

    await service.ready();
    await enqueue(waybill, 100);
    await run.settled(120_000);
    await worker.stop();
    expect(service.end).toBeNull();
    expect(violationsOf(await run.history())).toEqual([]);
  }, 600_000);
});
