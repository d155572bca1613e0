import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type RunningService, startService } from '../../support/running-service.js';

const DOCUMENTED = readFileSync(join(__dirname, '../../../docs/reference/read-views.md'), 'utf8');

let service: RunningService;
let owner: pg.Client;
let reader: pg.Client;
let role: string;
beforeAll(async () => {
  service = await startService();
  owner = new pg.Client({ connectionString: service.databaseUrl });
  await owner.connect();
  role = `reader_${randomBytes(4).toString('hex')}`;
  // As docs/reference/read-views.md says.
  await owner.query(`create role ${role} login password 'reader'; grant usage on schema waybill_read to ${role};
    grant select on all tables in schema waybill_read to ${role}`);
  const url = new URL(service.databaseUrl);
  url.username = role;
  url.password = 'reader';
  reader = new pg.Client({ connectionString: url.href });
  await reader.connect();
});
afterAll(async () => {
  await reader.end();
  await owner.query(`drop owned by ${role}; drop role ${role}`);
  await owner.end();
  await service.stop();
});

const VIEWS = `select relname as name from pg_class where relnamespace = 'waybill_read'::regnamespace order by 1`;
const viewsIn = async (): Promise<readonly string[]> => (await owner.query(VIEWS)).rows.map(({ name }) => name);

/** One task of each sort, and the figures of their queue. */
async function worked(): Promise<string> {
  const mail = service.waybill.queue('mail');
  await mail.define();
  await mail.enqueueMany([
    { payload: { secret: 'ann' }, labels: { customer: 'acme' } },
    { payload: 2 },
    { payload: 3 },
  ]);
  const [done, broken] = await mail.claim({ worker: 'w1', max: 2 });
  const error = { class: 'business', message: 'no mailbox' } as const;
  const { at } = await service.waybill
    .settle([
      { taskId: done!.taskId, token: done!.token, verdict: { type: 'succeed' } },
      { taskId: broken!.taskId, token: broken!.token, verdict: { type: 'fail', error, final: true } },
    ])
    .then((results) => ({ at: results.map((one) => ('position' in one ? BigInt(one.position) : 0n)) }));
  const position = String(at.reduce((most, one) => (one > most ? one : most)));
  for (const follower of ['queue-stats', 'queue-history', 'worker-roster', 'failure-groups'])
    await service.caughtUp(follower, position);
  return position;
}

it('a role may read the views, and nothing else', async () => {
  for (const view of await viewsIn()) await reader.query(`select * from waybill_read.${view}`);
  const { rows } = await owner.query(
    `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'v', 'm', 'S', 'p', 'f') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname !~ '^pg_'
       and has_schema_privilege($1, n.oid, 'usage') and case when c.relkind = 'S' then has_sequence_privilege($1, c.oid, 'usage, select, update')
         else has_table_privilege($1, c.oid, 'select, insert, update, delete, truncate') end order by 1`,
    [role],
  );
  expect(rows.map(({ name }) => name)).toEqual((await viewsIn()).map((name) => `waybill_read.${name}`));
  await expect(reader.query('select * from tasks')).rejects.toThrow('permission denied');
  await expect(
    reader.query(`select * from waybill_history('${'0'.repeat(8)}-0000-7000-8000-000000000000')`),
  ).rejects.toThrow('permission denied');
  await expect(reader.query(`update waybill_read.batches_v1 set name = 'x'`)).rejects.toThrow('permission denied');
});

it('they show what happened, without what tasks are about', async () => {
  await worked();
  const read = async (view: string) => (await reader.query(`select * from waybill_read.${view}`)).rows;
  expect(await read('queues_v1')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        queue: 'mail',
        state: 'active',
        pending: '1',
        succeeded: '1',
        failed: '1',
        claims: '2',
      }),
    ]),
  );
  expect(await read('queue_minutes_v1')).toEqual([
    expect.objectContaining({ queue: 'mail', enqueued: 3, claimed: 2, succeeded: 1, failed: 1, failed_business: 1 }),
  ]);
  const tasks = await read('tasks_v1');
  expect(tasks.map(({ state, error_class: errorClass }) => [state, errorClass]).sort()).toEqual([
    ['failed', 'business'],
    ['pending', null],
    ['succeeded', null],
  ]);
  expect(tasks).toEqual(expect.arrayContaining([expect.objectContaining({ labels: { customer: 'acme' } })]));
  expect(await read('workers_v1')).toEqual([expect.objectContaining({ worker: 'w1', claimed: '2', failed: '1' })]);
  expect(await read('failure_groups_v1')).toEqual([expect.objectContaining({ class: 'business', tasks: '1' })]);
  const all: unknown[] = [];
  for (const view of await viewsIn()) all.push(await read(view));
  expect(JSON.stringify(all)).not.toMatch(/secret|no mailbox/);
});

it('their columns are documented, all and no others', async () => {
  const { rows } = await owner.query<{ view: string; columns: string[] }>(
    `select table_name as view, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns where table_schema = 'waybill_read' group by 1 order by 1`,
  );
  const documented = Array.from(
    DOCUMENTED.matchAll(/^## `waybill_read\.(\w+)`$([^]*?)(?=^## |(?![^]))/gm),
    ([, view, text]) => ({
      view,
      columns: Array.from(text!.matchAll(/^\| `(\w+)`/gm), ([, column]) => column),
    }),
  );
  expect(documented.sort((one, other) => one.view!.localeCompare(other.view!))).toEqual(rows);
});

it('they show the rows of a rebuilt read model, and hold no rebuild up', async () => {
  const before = await reader.query(`select * from waybill_read.queues_v1 where queue = 'mail'`);
  for (const mode of ['switch', 'back', 'switch'] as const) {
    const { id } = await service.waybill.rebuildProjection('queue-stats', mode);
    await service.waybill.task(id).result({ timeoutMs: 60_000 });
    await owner.query(`update queue_stats set deadlines_missed = deadlines_missed + 1 where queue = 'mail'`);
    const { rows } = await reader.query(`select deadlines_missed from waybill_read.queues_v1 where queue = 'mail'`);
    const { rows: live } = await owner.query(`select deadlines_missed from queue_stats where queue = 'mail'`);
    expect(rows).toEqual(live);
  }
  expect(before.rows).toHaveLength(1);
});
