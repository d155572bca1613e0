import { createWaybill, type Waybill } from '@waybill/client';
import { Config } from '../src/bootstrap/config.js';
import { LOCK_INDEX } from '../src/infrastructure/dispatch-index/index-rebuild.js';
import { PostgresPool } from '../src/infrastructure/database/postgres-pool.js';
import { createLog } from '../src/infrastructure/telemetry/pino-logger.js';
import { rebuildFromLog } from '../src/maintenance/rebuild-from-log.js';
import { type Server, startServer } from '../src/bootstrap/server.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

describe('a rebuild from the log while the service works', () => {
  let database: TestDatabase;
  let pool: PostgresPool;
  let server: Server;
  let waybill: Waybill;
  let config: Config;
  const lines: string[] = [];
  const progress: string[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    pool = new PostgresPool({ url: database.url, size: 1 });
    config = Object.assign(new Config(), { databaseUrl: database.url, port: 0 });
    server = await startServer(config, createLog({ level: 'error', format: 'text' }));
    waybill = createWaybill({ url: server.url! });
    await waybill.queue('mail').define();
    await waybill.queue('mail').enqueueMany([{ payload: 1 }, { payload: 2 }, { payload: 3 }]);
    await settleOne();
  });
  afterAll(async () => {
    await server.stop();
    await pool.end();
    await database.drop();
  });
  beforeEach(() => {
    lines.length = progress.length = 0;
  });

  const rebuild = (...names: string[]): Promise<void> =>
    rebuildFromLog({
      config,
      names,
      log: () => undefined,
      onProgress: (line) => progress.push(line),
      onBuilt: (line) => lines.push(line),
    });

  async function settleOne(): Promise<string> {
    const [claimedTask] = await waybill.queue('mail').claim({ worker: 'w', max: 1 });
    const verdict = { type: 'succeed' as const };
    const [result] = await waybill.settle([{ taskId: claimedTask!.taskId, token: claimedTask!.token, verdict }]);
    return (result as { position: string }).position;
  }

  async function settleAnother(): Promise<string> {
    await waybill.queue('mail').enqueue(5);
    return settleOne();
  }

  it("restores everything that was damaged: the tasks' rows, the index and every read model", async () => {
    await waybill.queue('mail').stats({ minPosition: await settleOne() });
    await pool.query(
      `update tasks set state = 'held'; update queue_stats set pending = 4711; truncate ready, worker_roster`,
    );
    await rebuild('all');
    const minPosition = await settleOne();
    expect((await waybill.queue('mail').stats({ minPosition })).counts).toMatchObject({ pending: 0, succeeded: 3 });
    expect((await waybill.workers({ minPosition }).next()).value).toMatchObject({ succeeded: 3 });
    const { rows } = await pool.query('select state from tasks');
    expect(rows).toEqual(Array(3).fill({ state: 'succeeded' }));
    expect(lines).toEqual([
      'Rebuilt the dispatch index: 3 tasks',
      `Rebuilt 'queue-stats', 'queue-history', 'worker-roster', 'failure-groups' and 'lineage'`,
    ]);
    expect(progress.slice(-2)).toEqual(['3 tasks', expect.stringMatching(/^\d+ of \d+ events$/)]);
  });

  it('makes the same figures over time again', async () => {
    await waybill.queue('mail').figures({ from: '1h', minPosition: await settleAnother() });
    const figures = async () => {
      const rows = (table: string) => pool.query<object>(`select * from ${table} order by queue, at`);
      return [(await rows('queue_minutes')).rows, (await rows('queue_hours')).rows];
    };
    const before = await figures();
    expect(before.map((rows) => rows.length > 0)).toEqual([true, true]);
    await pool.query('update queue_hours set enqueued = 4711; delete from queue_minutes');
    await rebuild('queue-history');
    expect(await figures()).toEqual(before);
  });

  it('rebuilds the named read model and nothing else', async () => {
    await rebuild('worker-roster');
    expect(lines).toEqual([`Rebuilt 'worker-roster'`]);
  });

  it.each([
    [[], 'nothing'],
    [['tasks'], 'tasks'],
    [['worker-roster', 'all'], 'all'],
  ])('does nothing if the names are %j', async (names, got) => {
    await expect(rebuild(...names)).rejects.toThrow(
      `Expected names of what to rebuild (index, queue-stats, queue-history, worker-roster, failure-groups, lineage, or all), but got '${got}'.`,
    );
    expect(lines).toEqual([]);
  });

  it('makes callers wait for a while, and then answers 503', async () => {
    const { id } = await waybill.queue('mail').enqueue(4);
    const [claimedTask] = await waybill.queue('mail').claim({ worker: 'w' });
    const rebuilding = await pool.connect();
    // A rebuild tries again when others hold the tables for long, as on a busy machine.
    await until('the locks of a rebuild', () =>
      rebuilding.query(`begin; set local idle_in_transaction_session_timeout = 0; ${LOCK_INDEX}`).then(
        () => true as const,
        async () => (await rebuilding.query('rollback'), null),
      ),
    );
    const ask = (path: string, init?: RequestInit): Promise<Response> => fetch(server.url! + path, init);
    const items = [{ taskId: id, token: claimedTask!.token }];
    const heartbeat = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ items }),
    };
    const answers = await Promise.all([
      ask('/v1/leases/extend', heartbeat),
      ask('/v1/tasks'),
      ask(`/v1/tasks/${id}`),
      ask('/v1/queues/mail'),
      ask(`/v1/tasks/${id}/why`),
    ]);
    await rebuilding.query('rollback');
    rebuilding.release();
    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual(
      Array(5).fill([503, '1']),
    );
  });
});
