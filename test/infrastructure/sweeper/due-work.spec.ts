import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DueWork } from '../../../src/infrastructure/sweeper/due-work.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { planAsInProduction } from '../../support/test-database.js';

planAsInProduction();

const TASKS = 20_000;
const OVERDUE = 100;

let fixture: DispatchFixture;
beforeEach(async () => {
  fixture = await openDispatch({ poolSize: 1 });
  await fixture.define('mail');
});
afterEach(() => fixture.close());

/** As after a backlog came and before the database has counted it: the planner knows nothing of these rows. */
async function fillWithoutStatistics(): Promise<void> {
  const { pool } = fixture;
  await pool.query('alter table tasks set (autovacuum_enabled = false)');
  await pool.query('alter table leases set (autovacuum_enabled = false)');
  await pool.query(`
    insert into tasks (task_id, queue, state, kind, priority, enqueued_at, attempt, seq, position, revision, token, lease)
    select md5(n::text)::uuid, 'mail', 'running', 'send', 0, now(), 1, n, n, 1, n, n from generate_series(1, ${TASKS}) n`);
  await pool.query(`
    insert into leases (id, queue, worker, server, claim_id, lease_ms, deadline, open, tasks)
    select n, 'mail', 'w', '', md5(n::text)::uuid, 1000, now() + interval '1 hour' * case when n > ${OVERDUE} then 1 else -1 end, 1, array[md5(n::text)::uuid]
      from generate_series(1, ${TASKS}) n`);
}

/** How many rows of tasks the one connection of the pool has read so far. */
async function tasksRead(): Promise<number> {
  await fixture.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await fixture.pool.query<{ read: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_user_tables where relname = 'tasks'`,
  );
  return rows[0]!.read;
}

it.each<[string, (work: DueWork) => Promise<unknown>]>([
  ['for overdue leases', (work) => work.overdueLeases(500)],
  ['for silently held queues', (work) => work.silentlyHeldQueues(500)],
  ['for the next time that something is due', (work) => work.nextInMs()],
])('a look %s reads the tasks of overdue leases only, also without statistics', async (_what, look) => {
  await fillWithoutStatistics();
  const before = await tasksRead();
  for (let round = 0; round < 10; round++) await look(new DueWork(fixture.pool));
  expect((await tasksRead()) - before).toBeLessThanOrEqual(10 * 2 * OVERDUE);
});

it('finds the overdue leases, the longest overdue first', async () => {
  await fillWithoutStatistics();
  expect(await new DueWork(fixture.pool).overdueLeases(500)).toHaveLength(OVERDUE);
});
