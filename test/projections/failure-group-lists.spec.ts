import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/infrastructure/database/data-source.js';
import {
  SumFailureGroupsHandler,
  SumFailureGroups,
} from '../../src/projections/failure-groups/failure-group-figures.query.js';
import type { FailureGroupFilter } from '../../src/projections/failure-groups/failure-group-rows.js';
import type { FailureGroupSummary } from '../../src/projections/failure-groups/failure-group-view.js';
import {
  type GroupOrder,
  ListFailureGroups,
  ListFailureGroupsHandler,
} from '../../src/projections/failure-groups/list-failure-groups.query.js';
import type { Past } from '../../src/projections/kernel/past.port.js';
import { ENTITIES } from '../../src/projections/read-models.js';
import { openPostgresStore, type PostgresFixture } from '../support/postgres-store.js';
import { planAsInProduction } from '../support/test-database.js';

planAsInProduction();

const GROUPS = 3_000;
const PAGE = 50;
/** Of the tables, for one page: the groups, the row of each queue twice by queue, and one more. A walk reads thousands. */
const MOST_ROWS = 5 * PAGE;

/** Four queues, of which each group has failures in two. The seventh of each seven is resolved, and every third of these came back. */
const FILL = [
  `insert into failure_groups (group_id, class, attempts, tasks, first_at, last_at, said_state, returns, said, position)
   select 'g' || lpad(to_hex(n * 7919 % 65536), 15, '0'), case n % 3 when 0 then 'bug' else 'transient' end, 10 + n * 31 % 97, 2 * (n * 31 % 50),
          'epoch', timestamptz '2026-11-23T03:12:00Z' + (n / 4 * 1.000123) * interval '1 second',
          case when n % 21 = 0 then 'open' when n % 7 = 0 then 'resolved' end, (n % 21 = 0)::int,
          case when n % 21 = 0 then '{}'::jsonb when n % 7 = 0 then '{"by":"ann"}' end, n
   from generate_series(1, ${GROUPS}) n`,
  `insert into failure_group_queues (group_id, queue, attempts, tasks, first_at, last_at, last_task, position)
   select group_id, 'q' || (position + half * 2) % 4, attempts - 5 * half, tasks / 2, first_at, last_at - half * interval '1 hour',
          gen_random_uuid(), position * 2 + half
   from failure_groups, generate_series(0, 1) half`,
  // Of rules that were in use before.
  `insert into failure_groups (group_id, attempts, tasks, said_state, returns, said, position)
   values ('gffffffffffffff0', 0, 0, 'resolved', 0, '{"by":"ann"}', 1)`,
];

/** The texts of failures are in the log, which this test does not have. */
const PAST = {
  now: () => Promise.resolve({ position: 0n }),
  historiesAt: (streams: readonly string[]) => Promise.resolve(streams.map(() => [])),
} as unknown as Past;

let db: PostgresFixture;
let reading: DataSource;
beforeAll(async () => {
  db = await openPostgresStore();
  reading = await createDataSource(db.url, ENTITIES).initialize();
  for (const sql of [...FILL, 'analyze failure_groups, failure_group_queues']) await db.pool.query(sql);
});
afterAll(async () => {
  await reading.destroy();
  await db.close();
});

interface Node {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Node[];
}

const rowsRead = (node: Node): number =>
  (node['Relation Name'] ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0) +
  (node.Plans ?? []).reduce((sum, one) => sum + rowsRead(one), 0);

/** A list, and how many rows each of its pages has read. */
async function pagesOf(filter: FailureGroupFilter, order: GroupOrder, most = Infinity) {
  const read: number[] = [];
  const noting = {
    query: async (sql: string, values: unknown[]) => {
      const [plan] = await reading.query<{ 'QUERY PLAN': { Plan: Node }[] }[]>(
        `explain (analyze, format json) ${sql}`,
        values,
      );
      read.push(rowsRead(plan!['QUERY PLAN'][0]!.Plan));
      return reading.query<unknown>(sql, values);
    },
  };
  const lists = new ListFailureGroupsHandler(noting as unknown as DataSource, PAST);
  const all: FailureGroupSummary[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof lists.execute>> = await lists.execute(
      new ListFailureGroups(filter, order, cursor, PAGE),
    );
    all.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null && read.length < most);
  return { all, read };
}

/** What the pages of a list are together. */
async function expected({ queue, state, class: ofClass }: FailureGroupFilter, order: GroupOrder) {
  const { rows } = await db.pool.query<{ id: string }>(
    `select group_id as id from failure_groups g join (
       select group_id, sum(q.attempts) as a, sum(q.tasks) as t, max(q.last_at) as l from failure_group_queues q
       where $1::text is null or queue = $1 group by group_id) s using (group_id)
     where ($2::text is null or state = $2) and ($3::text is null or class = $3)
     order by ${order === 'latest' ? 'l' : `greatest(${queue === undefined ? 'g.attempts, g.tasks' : 'a, t'})`} desc, group_id desc`,
    [queue, state, ofClass],
  );
  return rows.map(({ id }) => id);
}

const FILTERS: readonly FailureGroupFilter[] = [
  {},
  { queue: 'q1' },
  { state: 'open' },
  { state: 'resolved' },
  { class: 'bug' },
  { queue: 'q2', state: 'resolved', class: 'transient' },
];

describe('lists of failure groups', () => {
  it.each(FILTERS)('of %j have each group once, in both orders', async (filter) => {
    for (const order of ['latest', 'most'] as const) {
      const { all } = await pagesOf(filter, order);
      expect(all.length).toBeGreaterThan(2 * PAGE);
      expect(all.map(({ id }) => id)).toEqual(await expected(filter, order));
    }
  });

  it('count what was in the queue that is asked for, or in all', async () => {
    const [whole] = (await pagesOf({}, 'latest', 1)).all;
    const parts = await Promise.all(whole!.queues.map((queue) => pagesOf({ queue }, 'latest')));
    const same = parts.map(({ all }) => all.find(({ id }) => id === whole!.id)!);
    expect(whole!.queues).toHaveLength(2);
    expect(same.map(({ queues }) => queues)).toEqual(whole!.queues.map((queue) => [queue]));
    expect(same.map(({ failedTasks }) => failedTasks)).toEqual([whole!.failedTasks / 2, whole!.failedTasks / 2]);
    expect(same.map(({ lastSeenAt }) => lastSeenAt).sort()[1]).toBe(whole!.lastSeenAt);
    expect(same.map(({ lastTask }) => lastTask)).toContain(whole!.lastTask);
  });

  it.each([{}, { queue: 'q1' }, { state: 'open' }, { state: 'resolved' }] as readonly FailureGroupFilter[])(
    'of %j read a page, and not all groups',
    async (filter) => {
      const { read } = await pagesOf(filter, 'latest', 4);
      expect(read.filter((rows) => rows > MOST_ROWS)).toEqual([]);
      expect(read).toHaveLength(4);
    },
  );
});

it('figures of failure groups count those with failures, and have the latest open ones', async () => {
  const { rows } = await db.pool.query<{ state: string; n: number }>(
    `select state, count(*)::int as n from failure_groups where attempts > 0 group by 1`,
  );
  const figures = await new SumFailureGroupsHandler(reading).execute(new SumFailureGroups(20));
  expect(figures.states).toEqual({ ignored: 0, ...Object.fromEntries(rows.map(({ state, n }) => [state, n])) });
  expect(figures).toMatchObject({ returned: Math.floor(GROUPS / 21), returns: Math.floor(GROUPS / 21) });
  const { all } = await pagesOf({ state: 'open' }, 'latest', 1);
  expect(figures.latest.map(({ group }) => group)).toEqual(all.slice(0, 20).map(({ id }) => id));
});
