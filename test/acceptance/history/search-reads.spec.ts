import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WaybillError } from '@waybill/client';
import pg from 'pg';
import { NAMED_FIELDS, TEXT_FIELDS } from '../../../src/domain/search/term.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { planAsInProduction } from '../../support/test-database.js';

planAsInProduction();

/** More than an index may give, and more than the log may be read for one search. */
const ENQUEUED = 10_500;
/** Rows in the lists, and three times as many. Of the fewer ones more are failed than a page looks at, and more are cancelled, and in a step, than are found one by one. */
const [FEW, MANY] = [48_000, 144_000];
/** The most rows that a page looks at one by one, each in a page of the table at the worst. */
const MOST_LOOKED_AT = 20_000;
/** Searches that look at fewer while there are few rows, or by a plan that a sample of few rows gives. */
const WALKS = /^error:/;
/** What the service does beside (a busy machine makes it more), and what pages of indexes a deeper tree has. */
const BESIDE = 2_000;

const BATCH = '00000000-0000-7000-8000-0000000000b1';

/** Each term alone, and those that are refused then beside a queue. Most match many tasks, some none. */
const SEARCHES = [
  'id:00000000-0000-0000-0000-000000000007',
  'id:00000007',
  'id:ffffffff',
  'queue:mail',
  'queue:mail,print',
  'state:failed',
  'state:cancelled',
  'state:pending',
  'state:failed,cancelled kind:none',
  'queue:mail state:succeeded',
  'queue:mail kind:none',
  'key:k-7',
  'key:k* kind:none',
  'reference:inv-7',
  'reference:inv* kind:none',
  'reference:none',
  `batch:${BATCH} kind:none`,
  'step:read kind:none',
  'label.region:eu kind:none',
  'label.run:7',
  'payload.customer:acme kind:none',
  'payload.customer:none',
  'error:none',
  'error:etimedout',
  'error:none queue:mail',
  'group:g000000000000000',
  'queue:mail worker:none',
  'queue:mail nowhere',
  'queue:mail ended<1h',
  'queue:mail since:1h kind:none',
  'until:1h queue:mail',
];

/** Each with what its refusal asks for. */
const REFUSED: readonly (readonly [q: string, code: string, asks: RegExp])[] = [
  ['kind:letter', 'INVALID_INPUT', /^Expected queue:.* or a range/],
  ['worker:w1', 'INVALID_INPUT', /^Expected queue:.* or a range/],
  ['bill', 'INVALID_INPUT', /^Expected queue:.* or a range/],
  ['state:succeeded', 'INVALID_INPUT', /^Expected queue:.* or a range/],
  ['ended>1h', 'INVALID_INPUT', /^Expected queue:.* or a range/],
  ['since:1h', 'INVALID_INPUT', /^Expected queue:.* or a range of at most 10,000 tasks/],
  ['payload.colour:red', 'INVALID_INPUT', /^Expected a queue whose policy has 'colour'/],
  ['actor:anonymous', 'READ_TOO_LONG', /a shorter range, with since:, or for one queue$/],
  ['build:b1', 'READ_TOO_LONG', /a shorter range, with since:, or for one queue$/],
];

let service: RunningService;
let admin: pg.Client;
beforeAll(async () => {
  service = await startService();
  admin = new pg.Client({ connectionString: process.env.DATABASE_URL });
  await admin.connect();
  await admin.query('create extension if not exists pg_stat_statements');
  await admin.query(`alter database ${nameOf(service)} set pg_stat_statements.track = 'top'`);
  await service.restart();
  await service.waybill.queue('mail').define({ search: ['customer'] });
  await service.waybill.queue('print').define();
  await service.waybill.queue('steps').define({ steps: ['read', 'write'] });
  for (let at = 0; at < ENQUEUED; at += 500)
    await service.waybill.enqueueMany(Array.from({ length: 500 }, () => ({ queue: 'print' })));
  for (let claimed = 0; claimed < ENQUEUED; claimed += 500)
    await service.waybill.queue('print').claim({ worker: 'w', build: 'b1', max: 500, leaseMs: 12 * 3_600_000 });
});
afterAll(async () => {
  await admin.end();
  await service.stop();
});

const nameOf = ({ databaseUrl }: RunningService): string => new URL(databaseUrl).pathname.slice(1);

/** Rows from one number up to another: of twenty eighteen are in `mail`. They have what searches name. */
async function fill(from: number, upTo: number): Promise<void> {
  await service.pool.query(
    `insert into tasks (task_id, queue, state, rare_state, kind, key, reference, labels, payload_terms, description, priority, enqueued_at,
       finished_at, failed_at, error, error_class, batch, step, entered, worker, attempt, seq, position, revision)
     select lpad(to_hex(n), 32, '0')::uuid, case when n % 20 < 18 then 'mail' else 'print' end,
       case n % 4 when 1 then 'cancelled' when 2 then 'succeeded' else 'failed' end, case n % 4 when 1 then 'cancelled' end, 'letter', 'k-' || n, 'inv-' || n,
       jsonb_build_object('region', 'eu', 'run', n::text), case when n % 20 < 18 then '{"customer": "acme"}'::jsonb end, 'Bill ' || n, 0, now(),
       case when n % 4 in (1, 2) then now() end, case when n % 4 in (0, 3) then now() + n * interval '1 microsecond' end,
       case when n % 4 in (0, 3) then 'connect ETIMEDOUT at row ' || n end, case when n % 4 in (0, 3) then 'transient' end, $3,
       case when n % 4 = 1 then 'read' end, n % 4 = 1, 'w1', 1, 0, 0, 2
     from generate_series($1::int, $2::int) n`,
    [from, upTo, BATCH],
  );
  await service.pool.query('vacuum analyze tasks');
}

const BLOCKS = `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int as blocks
  from pg_stat_statements s join pg_database d on d.oid = s.dbid where d.datname = $1 and toplevel`;

async function blocks(): Promise<number> {
  return (await admin.query<{ blocks: number }>(BLOCKS, [nameOf(service)])).rows[0]!.blocks;
}

/** The pages of tables and indexes that the first page of each search looked at: the least of three, because the service works beside. */
async function readsOf(searches: readonly string[]) {
  const read = new Map<string, number>();
  const refusals: unknown[] = [];
  for (const q of searches)
    for (let time = 0; time < 3; time++) {
      const before = await blocks();
      refusals.push(await refusalOf(q));
      read.set(q, Math.min(read.get(q) ?? Infinity, (await blocks()) - before));
    }
  return { read, answered: refusals.filter((refusal) => refusal === null).length };
}

const refusalOf = (q: string) =>
  service.waybill.tasks.page({ q }, { limit: 100 }).then(
    () => null,
    (error: WaybillError) => ({ code: error.code, detail: detailOf(error) }),
  );

function detailOf({ problem, detail }: WaybillError): string {
  const { errors = [] } = problem as unknown as { errors?: readonly { detail: string }[] };
  return errors[0]?.detail ?? detail;
}

/** The field of each term, without the names of labels and payloads. */
const fieldsIn = (searches: readonly string[]): ReadonlySet<string> =>
  new Set(searches.flatMap((q) => [...q.matchAll(/([a-z]+)(\.[a-z]+)?[:<>]/g)].map(([, field]) => field!)));

describe('searches of many tasks', () => {
  it('D-12 read a bounded number of rows for the first page of every term, or are refused with the queue or the range that they need', async () => {
    expect([...fieldsIn([...SEARCHES, ...REFUSED.map(([q]) => q)])]).toEqual(
      expect.arrayContaining([...TEXT_FIELDS, ...NAMED_FIELDS, 'since', 'until', 'ended']),
    );
    await fill(1, FEW);
    const few = await readsOf(SEARCHES);
    await fill(FEW + 1, MANY);
    const many = await readsOf(SEARCHES);
    expect([...few.read].filter(([, read]) => read === 0)).toEqual([]);
    expect([few.answered, many.answered]).toEqual([SEARCHES.length * 3, SEARCHES.length * 3]);
    const bound = (q: string) => BESIDE + (WALKS.test(q) ? MOST_LOOKED_AT : few.read.get(q)! * 1.5);
    const grown = SEARCHES.filter((q) => many.read.get(q)! > bound(q));
    expect(grown.map((q) => [q, few.read.get(q), many.read.get(q)])).toEqual([]);
    for (const [q, code, asks] of REFUSED)
      expect([q, await refusalOf(q)]).toEqual([q, { code, detail: expect.stringMatching(asks) }]);
    const refusing = await readsOf(REFUSED.map(([q]) => q));
    for (const [q, read] of refusing.read) expect([q, read < 20_000]).toEqual([q, true]);
    expect(refusing.answered).toBe(0);
  });
});
