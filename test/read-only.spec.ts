import pg from 'pg';
import { endServiceProcesses, ServiceProcess } from './service-process.js';
import { createTestDatabase, type TestDatabase } from './support/test-database.js';
import { until } from './support/until.js';

const READ_ONLY =
  'Expected the database to take writes, but it is read-only: a standby, or default_transaction_read_only is on';

let database: TestDatabase;
/** Of the same server, in another database. */
let owner: pg.Client;
beforeEach(async () => {
  database = await createTestDatabase();
  owner = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await owner.connect();
});
afterEach(async () => {
  await endServiceProcesses();
  await owner.end();
  await database.drop();
});

/** As a failover to a standby, or an administrator: sessions end, and new ones may only read, or may write again. */
async function change(mode: 'on' | 'off'): Promise<void> {
  const name = new URL(database.url).pathname.slice(1);
  await owner.query(`alter database ${name} set default_transaction_read_only = ${mode}`);
  if (mode === 'on')
    await owner.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
}

it('a database that becomes read-only is called that, and written to again without a restart', async () => {
  const store = process.env.EVENT_STORE_URL;
  const name = new URL(database.url).pathname.slice(1);
  const service = new ServiceProcess({
    DATABASE_URL: database.url,
    ...(store && { EVENT_STORE_URL: store, EVENT_STORE_PREFIX: `${name}.` }),
  });
  const url = await service.url();
  const send = (path: string, method: string, body: object = {}): Promise<Response> =>
    fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  await send('/v1/queues/mail', 'PUT');
  expect((await send('/v1/queues/mail/tasks', 'POST')).status).toBe(201);
  await change('on');
  const notReady = await until('not to be ready for that', async () => {
    const { checks } = (await (await fetch(`${url}/healthz/ready`)).json()) as {
      checks?: { database: { message?: string } };
    };
    return checks?.database.message === READ_ONLY ? checks : null;
  });
  expect(notReady).toMatchObject({ database: { status: 'down', message: READ_ONLY } });
  const refused = await send('/v1/queues/mail/tasks', 'POST');
  expect([refused.status, await refused.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'STORE_UNAVAILABLE', detail: READ_ONLY }),
  ]);
  expect((await fetch(`${url}/v1/tasks`)).status).toBe(200);
  expect((await fetch(`${url}/healthz/live`)).status).toBe(200);
  await service.told(/it is read-only: a standby/);
  await change('off');
  await until('a task', async () => ((await send('/v1/queues/mail/tasks', 'POST')).status === 201 ? true : null));
  await until('to be ready', async () => ((await fetch(`${url}/healthz/ready`)).status === 200 ? true : null));
  await service.told(/The database takes writes again/);
});

it('a start on a read-only database says so in one sentence', async () => {
  await change('on');
  const service = new ServiceProcess({ DATABASE_URL: database.url });
  expect(await service.ended).toBe(1);
  expect(service.errors).toMatch(
    /^Expected to use the database at '.*', but it is read-only \(a standby, or default_transaction_read_only is on\); set DATABASE_URL/,
  );
});
