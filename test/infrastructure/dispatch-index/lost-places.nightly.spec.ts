import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { batchStream } from '../../../src/domain/batch/batch.stream.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { FailingItems } from '../../../src/infrastructure/sweeper/failing-items.js';
import { StrayRows } from '../../../src/infrastructure/sweeper/stray-rows.js';
import { ComparedFixture } from '../../support/compared-rows.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const FUTURE = '2100-01-01T00:00:00.000Z';
const AT = '2026-01-01T00:00:00.000Z';

describe.each([
  ['Postgres', openDispatch],
  ['EventStoreDB', openReservedDispatch],
])('open tasks that lack a place or a lease, with the events in %s', (_, open) => {
  let fixture: DispatchFixture;
  let compared: ComparedFixture;
  let strays: StrayRows;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await open();
    compared = new ComparedFixture(fixture);
    const { pool, wakeUps, store } = fixture;
    strays = new StrayRows(pool, store, new PostgresQuarantine(pool, wakeUps), wakeUps, new FailingItems(pool));
    await fixture.define('mail', { duplicatePending: 'allow', retry: { maxAttempts: 1 } } as object);
  });
  afterEach(() => fixture.close());

  const sql = <Row extends object>(text: string, values: readonly unknown[] = []) => compared.sql<Row>(text, values);

  async function mend(): Promise<void> {
    await compared.settled();
    for (const pass of strays.passes) while (await pass.next());
  }

  const places = () => sql<{ gate: string }>(`select * from waiting order by task_id`);

  const takenSlots = () =>
    sql(`select * from key_slots where num_nonnulls(running, ready, waiting) > 0 order by queue, key`);

  async function claimedIds(max = 10): Promise<string[]> {
    await compared.settled();
    return (await fixture.claim('mail', { max })).map(({ taskId }) => taskId);
  }

  describe('without a place in the lane', () => {
    it.each([
      ['plain ones', [{}, {}, {}]],
      ['ones with keys', [{ key: 'a' }, { key: 'b' }]],
      ['ones that expire', [{ expiresAt: FUTURE }, {}]],
    ])('%s get it again, and are claimed once and in order', async (_, items: object[]) => {
      const tasks = await fixture.enqueue('mail', items);
      await compared.settled();
      await sql('delete from ready');
      expect(await claimedIds()).toEqual([]);
      await mend();
      expect(await compared.mended()).toEqual({ 'lost place': tasks.length });
      await mend();
      expect(await claimedIds()).toEqual(tasks);
      expect(await compared.mended()).toEqual({ 'lost place': tasks.length });
      expect(await claimedIds()).toEqual([]);
    });

    it('one that comes back after others gets its place before them', async () => {
      const [first, second, third] = await fixture.enqueue('mail', [{}, {}, {}]);
      await compared.settled();
      await sql('delete from ready');
      const [last] = await fixture.enqueue('mail', [{}]);
      await mend();
      expect(await claimedIds()).toEqual([first, second, third, last]);
    });

    it('the next of a key lets the others of the key go after it', async () => {
      const [first, second] = await fixture.enqueue('mail', [{ key: 'a' }, { key: 'a' }]);
      await compared.settled();
      await sql('delete from ready');
      await mend();
      const claimed = await fixture.claim('mail', { max: 2 });
      expect(claimed).toMatchObject([{ taskId: first }]);
      await fixture.settle(claimed);
      expect(await claimedIds()).toEqual([second]);
    });

    it('one at a place that is not its own leaves that for its own', async () => {
      const [task] = await fixture.enqueue('mail', [{ priority: 2 }]);
      await compared.settled();
      await sql(`update ready set priority = 1, from_seq = from_seq - 1, task_id = $1`, [task]);
      await mend();
      expect(await sql('select priority, to_seq = from_seq as alone from ready')).toEqual([
        { priority: 2, alone: true },
      ]);
      expect(await claimedIds()).toEqual([task]);
    });
  });

  describe('without a place outside the lane', () => {
    /** One or two of each state and gate. */
    async function waitingTasks(): Promise<void> {
      const batch = uuidv7();
      await fixture.define('strict', { onFailure: 'decide' } as object);
      await compared.append(batchStream(batch), -1, {
        type: 'BatchCreated',
        version: 1,
        data: { batch, name: 'scan', at: AT },
      } as never);
      const [first] = await fixture.enqueue('mail', [{ key: 'a' }]);
      await fixture.enqueue('mail', [
        { key: 'a' },
        { dueAt: FUTURE },
        { dueAt: FUTURE, key: 'b' },
        { after: [{ task: first! }] },
        { after: [{ task: first! }], key: 'c' },
        { batch },
        { prepared: true },
        { hold: {}, key: 'd' },
      ]);
      await fixture.enqueue('strict', [{}]);
      await fixture.settle(await fixture.claim('strict'), {
        type: 'fail',
        error: { message: 'no', class: 'business' },
      });
      await compared.settled();
    }

    it('all get what they had', async () => {
      await waitingTasks();
      const before = await places();
      expect(new Set(before.map(({ gate }) => gate))).toEqual(
        new Set(['key', 'due', 'blocked', 'prepared', 'held', 'undecided']),
      );
      const slots = await takenSlots();
      await sql('delete from waiting');
      await mend();
      expect(await places()).toEqual(before);
      expect(await takenSlots()).toEqual(slots);
      expect(await compared.mended()).toEqual({ 'lost place': before.length });
      await mend();
      expect(await compared.mended()).toEqual({ 'lost place': before.length });
    });

    it.each([
      ['wait for another gate', `gate = 'held'`],
      ['wait for no known gate', `gate = 'nonsense'`],
      ['wait for a key', `gate = 'key', key = null`],
      ['wait for a time that never comes', `gate = 'due', due_at = null`],
      ['wait for nothing', `gate = 'blocked', blockers = 0`],
      ['have another priority', 'priority = 77'],
      ['have another place', 'place = 0'],
      ['are in another queue', `queue = 'strict'`],
      ['have another key', `key = 'zzz'`],
      ['are due at another time', `due_at = '2101-01-01Z' where gate <> 'key'`],
    ])('all that %s get what they had', async (_, change) => {
      await waitingTasks();
      const before = await places();
      await sql(`update waiting set ${change}`);
      await mend();
      await mend();
      expect(await places()).toEqual(before);
    });
  });

  describe('without a lease', () => {
    it.each([
      ['it is gone', 'delete from leases'],
      ['it lists no task', `update leases set tasks = '{}'`],
      ['the task points to another', 'update tasks set lease = lease + 1000000'],
      ['the task points to none', 'update tasks set lease = null, token = null'],
    ])('because %s, get one that ends, and whose worker may report', async (_, change) => {
      await fixture.enqueue('mail', [{}, {}]);
      const claimed = await fixture.claim('mail', { max: 2, leaseMs: 60_000 });
      await compared.settled();
      await sql(change);
      await mend();
      expect((await compared.mended())['lost lease']).toBe(2);
      const found = await sql<{ ms: number }>(
        `select l.worker, l.server, l.lease_ms as ms, l.deadline > now() as stands from task_leases l`,
      );
      expect(found).toEqual(Array(2).fill({ worker: 'w1', server: 's1', ms: 60_000, stands: true }));
      expect(await fixture.settle(claimed)).toMatchObject([{ kind: 'done' }, { kind: 'done' }]);
    });
  });

  it('get the token of their last claim if the sweeper meets another', async () => {
    await fixture.enqueue('mail', [{}]);
    const claimed = await fixture.claim('mail');
    await compared.settled();
    await sql('update tasks set token = token + 1000');
    expect(await strays.doubt([claimed[0]!.taskId])).toBe(1);
    expect(await strays.doubt([claimed[0]!.taskId])).toBe(0);
    expect(await fixture.settle(claimed)).toMatchObject([{ kind: 'done' }]);
  });

  it('get nothing while their rows contradict their histories', async () => {
    const [task] = await fixture.enqueue('mail', [{}]);
    await compared.settled();
    await sql('delete from ready');
    await sql('update tasks set revision = 7');
    await mend();
    expect(await sql('select task_id from quarantined')).toEqual([{ task_id: task }]);
    await mend();
    expect(await compared.mended()).toEqual({});
  });

  it('get nothing while something is being recorded of them', async () => {
    const [task] = await fixture.enqueue('mail', [{}]);
    await compared.settled();
    await sql('delete from ready');
    await sql(
      `insert into reservations (stream, name, id, expected, changes_scope, deadline) values ($1::uuid, 'task-' || $1, gen_random_uuid(), 0, false, now() + interval '1 hour')`,
      [task],
    );
    await mend();
    expect(await compared.mended()).toEqual({});
  });
});
