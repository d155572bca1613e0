import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { FailingItems } from '../../../src/infrastructure/sweeper/failing-items.js';
import { StrayRows } from '../../../src/infrastructure/sweeper/stray-rows.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';

let fixture: DispatchFixture;
beforeEach(async () => {
  fixture = await openDispatch({ poolSize: 1 });
  await fixture.define('mail');
});
afterEach(() => fixture.close());

/** How often the one connection of the pool has called the function so far. */
async function calls(): Promise<number> {
  await fixture.pool.query('select pg_stat_force_next_flush()');
  const { rows } = await fixture.pool.query<{ calls: number }>(
    `select coalesce(sum(calls), 0)::int as calls from pg_stat_user_functions where funcname = 'waybill_lost_place'`,
  );
  return rows[0]!.calls;
}

async function look(): Promise<void> {
  const { pool, wakeUps, store } = fixture;
  const strays = new StrayRows(pool, store, new PostgresQuarantine(pool, wakeUps), wakeUps, new FailingItems(pool));
  for (const pass of strays.passes) while (await pass.next());
}

it('a look for lost places asks nothing of tasks that have ended', async () => {
  await fixture.enqueue('mail', [{}, {}, {}]);
  await fixture.settle(await fixture.claim('mail', { max: 2 }));
  await fixture.pool.query(`set track_functions = 'all'`);
  await look();
  expect(await calls()).toBe(1);
});
