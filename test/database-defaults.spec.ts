import { createWaybill } from '@waybill/client';
import pg from 'pg';
import { Config } from '../src/bootstrap/config.js';
import { type Server, startServer } from '../src/bootstrap/server.js';
import { createLog } from '../src/infrastructure/telemetry/pino-logger.js';
import { createEmptyDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

/** What an administrator may have set for all programs. */
const DEFAULTS = [
  `timezone = 'Asia/Kolkata'`,
  'datestyle = German, DMY',
  `intervalstyle = 'iso_8601'`,
  `bytea_output = 'escape'`,
  'extra_float_digits = -5',
  'standard_conforming_strings = off',
  'array_nulls = off',
  'transform_null_equals = on',
  `default_transaction_isolation = 'serializable'`,
  'exit_on_error = on',
  'synchronous_commit = off',
  `statement_timeout = '20s'`,
  `idle_session_timeout = '1s'`,
];

describe('a service on a database with other defaults', () => {
  let database: TestDatabase;
  let server: Server;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    const name = new URL(database.url).pathname.slice(1);
    const owner = new pg.Client({ connectionString: database.url });
    await owner.connect();
    for (const setting of DEFAULTS) await owner.query(`alter database ${name} set ${setting}`);
    await owner.end();
    const eventStoreUrl = process.env.EVENT_STORE_URL;
    const store = { eventStoreUrl, eventStorePrefix: eventStoreUrl ? `${name}.` : '' };
    const config = Object.assign(new Config(), { databaseUrl: database.url, port: 0, ...store });
    server = await startServer(config, createLog({ level: 'silent', format: 'json' }));
  });
  afterAll(async () => {
    await server.stop();
    await database.drop();
  });

  const get = (path: string): Promise<Response> => fetch(`${server.url}${path}`);

  it('answers every read, with times as they were', async () => {
    const waybill = createWaybill({ url: server.url! });
    const mail = waybill.queue('mail');
    await mail.define();
    const before = Date.now();
    const { id } = await mail.enqueue({ to: 'me' });
    const [claimed] = await mail.claim({ worker: 'w' });
    await waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'succeed' } }]);
    await waybill.trigger('nightly').define({ cron: '0 2 * * *', timeZone: 'UTC', task: { queue: 'mail' } });
    for (const path of [
      `tasks/${id}`,
      'tasks',
      'queues',
      'queues/mail',
      'system',
      'workers',
      'triggers',
      'projections',
    ])
      expect([path, (await get(`/v1/${path}`)).status]).toEqual([path, 200]);
    expect((await get('/metrics')).status).toBe(200);
    const shown = await waybill.task(id).get();
    const times = [shown.enqueuedAt, ...(await waybill.task(id).history()).map(({ recordedAt }) => recordedAt)];
    for (const time of times) expect(Math.abs(Date.parse(time!) - before)).toBeLessThan(60_000);
    expect((await waybill.trigger('nightly').get()).next).not.toEqual([]);
  });

  it('keeps its connections, and is ready', async () => {
    await until('a sweep', async () => {
      const { details } = (await (await get('/healthz/ready')).json()) as {
        details?: { sweeper: { lastSweepSeconds: number | null } };
      };
      return details?.sweeper.lastSweepSeconds ?? null;
    });
    expect((await get('/healthz/ready')).status).toBe(200);
  });
});
