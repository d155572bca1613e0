import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CLAIMS_LOCK } from '../../../src/infrastructure/database/locks.js';
import { QUIESCED } from '../../../src/infrastructure/sweeper/chores/record-end-of-drain.js';
import { type DispatchFixture, openDispatch } from '../../support/dispatch-fixture.js';
import { until } from '../../support/until.js';

const SINCE = '2026-03-01T00:00:00.000Z';

describe('the look for the end of a drain', () => {
  let dispatch: DispatchFixture;
  beforeEach(async () => {
    dispatch = await openDispatch();
  });
  afterEach(() => dispatch.close());

  const drain = (quiescedAt: string | null = null) =>
    dispatch.pool.query(
      `insert into system (name, revision, position, draining, intake, running, begun_by, begun_at, quiesced_at)
       values ('drain', 0, 1, true, 'closed', 'finish', 'ann', $1, $2)`,
      [SINCE, quiescedAt],
    );
  const look = async () =>
    (await dispatch.pool.query<{ since: string }>(QUIESCED)).rows.map(({ since }) => new Date(since).toISOString());

  it('finds the drain during which nothing runs, unless that is recorded', async () => {
    expect(await look()).toEqual([]);
    await drain();
    expect(await look()).toEqual([SINCE]);
    await dispatch.pool.query('update system set quiesced_at = now()');
    expect(await look()).toEqual([]);
  });

  it('waits for a claim that began before the drain, and sees its lease', async () => {
    await dispatch.define('mail');
    const claim = await dispatch.pool.connect();
    try {
      await claim.query(`begin; select pg_advisory_xact_lock_shared(${CLAIMS_LOCK})`);
      await drain();
      const found = look();
      await until('the look to wait', async () => (await waiting()) || null);
      await claim.query(`insert into leases (id, tasks, open, queue, worker, server, claim_id, lease_ms, deadline)
        values (1, array[gen_random_uuid()], 1, 'mail', 'w1', 's1', gen_random_uuid(), 1000, now()); commit`);
      expect(await found).toEqual([]);
    } finally {
      claim.release();
    }
  });

  async function waiting(): Promise<boolean> {
    const { rows } = await dispatch.pool.query<{ n: number }>(
      `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0]!.n > 0;
  }
});
