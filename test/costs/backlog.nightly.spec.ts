import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { oldestWaitingMs } from '../../src/projections/queue-stats/oldest-waiting.js';
import { longestRunMs } from '../../src/projections/queue-stats/time-limits.js';
import { type DispatchFixture, openDispatch } from '../support/dispatch-fixture.js';
import { openFollowedDispatch } from '../support/followed-dispatch.js';

const STORES: readonly (readonly [string, () => Promise<DispatchFixture & { follow?(): Promise<void> }>])[] = [
  ['in Postgres', () => openDispatch({ poolSize: 1 })],
  ['in EventStoreDB', () => openFollowedDispatch({ poolSize: 1 })],
];

const BACKLOG = 5_000;
const TASKS = 20;
/** Of one table, for one task and one step of its life. The most is 12 today; whoever walks over a backlog reads thousands. */
const MOST_ROWS = 30;

let fixture: DispatchFixture & { follow?(): Promise<void> };
async function open(store: (typeof STORES)[number][1]): Promise<void> {
  // Its one connection keeps the plans that it made while there was little, and no statistics replace them.
  fixture = await store();
  // One that vacuums any table keeps the dead rows of all, because it has a snapshot of its own.
  const { rows } = await fixture.pool.query<{ table: string }>(
    `select relname as table from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  );
  for (const { table } of rows) await fixture.pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await fixture.define('mail', { duplicatePending: 'allow', onFailure: 'fail' });
  await fixture.enqueue(
    'mail',
    Array.from({ length: 200 }, () => ({ key: 'first', priority: -1 })),
  );
  await fixture.pool.query('discard plans');
  await live('early');
}
afterEach(() => fixture.close());

/** The rows of each table that the one connection of the pool has read so far, by index or not. */
async function rowsRead(): Promise<Map<string, number>> {
  await fixture.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await fixture.pool.query<{ name: string; read: number }>(
    `select relname as name, (seq_tup_read + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes i where i.relid = t.relid))::int as read
       from pg_stat_user_tables t`,
  );
  return new Map(rows.map(({ name, read }) => [name, read]));
}

async function counted(step: () => Promise<unknown>): Promise<readonly string[]> {
  const before = await rowsRead();
  await step();
  await fixture.follow?.();
  const after = await rowsRead();
  const read = [...after].map(([name, rows]) => ({ name, rows: rows - (before.get(name) ?? 0) }));
  return read.filter(({ rows }) => rows > MOST_ROWS * TASKS).map(({ name, rows }) => `${rows} rows of ${name}`);
}

/** What `GET /v1/queues/{queue}/stats` reads of the tasks themselves. */
const FIGURES = `select ${oldestWaitingMs('q.name')}, ${longestRunMs('q.name')} from queues q where q.name = 'mail'`;

/** Whole lives: two tasks to a key. Returns what each step read too much. */
async function live(name: string): Promise<object> {
  const tasks = Array.from({ length: TASKS }, (_, at) => ({ key: `${name} ${at >> 1}`, priority: 5 }));
  const enqueue = await counted(() => fixture.enqueue('mail', tasks));
  let claim: readonly string[] = [];
  let settle: readonly string[] = [];
  for (const half of [1, 2]) {
    let claimed: Awaited<ReturnType<DispatchFixture['claim']>> = [];
    claim = [...claim, ...(await counted(async () => (claimed = await fixture.claim('mail', { max: TASKS / 2 }))))];
    expect([half, claimed.length]).toEqual([half, TASKS / 2]);
    settle = [...settle, ...(await counted(() => fixture.settle(claimed)))];
  }
  const figures = await counted(() => fixture.pool.query(FIGURES));
  return { enqueue, claim, settle, figures };
}

const many = <T>(make: (at: number) => T): T[] => Array.from({ length: BACKLOG }, (_, at) => make(at));

describe.each(STORES)(
  'with events %s, a task costs as much with a backlog, of which the database has no statistics yet,',
  (_where, store) => {
    beforeEach(() => open(store));
    it.each<[string, () => Promise<unknown>]>([
      [
        'of tasks in the line of one key',
        () =>
          fixture.enqueue(
            'mail',
            many(() => ({ key: 'hot' })),
          ),
      ],
      [
        'of ready tasks with keys',
        () =>
          fixture.enqueue(
            'mail',
            many((at) => ({ key: `k${at}` })),
          ),
      ],
      [
        'of ready tasks without keys',
        () =>
          fixture.enqueue(
            'mail',
            many(() => ({})),
          ),
      ],
      [
        'of tasks that are due later',
        () =>
          fixture.enqueue(
            'mail',
            many((at) => ({ key: `k${at}`, dueAt: '2099-01-01T00:00:00.000Z' })),
          ),
      ],
      [
        'of running tasks',
        async () => {
          await fixture.enqueue(
            'mail',
            many((at) => ({ key: `k${at}` })),
          );
          for (let claimed = 0; claimed < BACKLOG; claimed += 500) await fixture.claim('mail', { max: 500 });
        },
      ],
      [
        'of tasks that have ended',
        async () => {
          await fixture.enqueue(
            'mail',
            many((at) => ({ key: `k${at}` })),
          );
          for (let claimed = 0; claimed < BACKLOG; claimed += 500)
            await fixture.settle(await fixture.claim('mail', { max: 500 }));
        },
      ],
    ])('%s', async (_what, fill) => {
      await fill();
      await fixture.follow?.();
      // Their rows come and go with each task, and leave dead entries in their indexes, which count as rows here.
      await fixture.pool.query('vacuum reservations, ready');
      expect(await live('new')).toEqual({ enqueue: [], claim: [], settle: [], figures: [] });
    });
  },
);
