import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { ReadQuarantinedAgain } from '../../../src/infrastructure/sweeper/chores/read-quarantined-again.js';
import { FailingItems } from '../../../src/infrastructure/sweeper/failing-items.js';
import { StrayRows } from '../../../src/infrastructure/sweeper/stray-rows.js';
import { ComparedFixture } from '../../support/compared-rows.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';
import { type FollowedDispatch, openFollowedDispatch } from '../../support/followed-dispatch.js';
import { claimedTask, recordingOf, reserveClaim } from '../../support/reserved-claims.js';

const GHOST = '01900000-0000-7000-8000-000000000000';
const PAST = '2020-01-01T00:00:00.000Z';
const FUTURE = '2100-01-01T00:00:00.000Z';

describe.each([
  ['Postgres', openDispatch, { findsHistories: false }],
  ['EventStoreDB', openReservedDispatch, { findsHistories: true }],
])('rows of the index that contradict the tasks, with the events in %s', (_, open, { findsHistories }) => {
  let fixture: DispatchFixture;
  let strays: StrayRows;
  let quarantine: PostgresQuarantine;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await open();
    const { pool, wakeUps, store } = fixture;
    quarantine = new PostgresQuarantine(pool, wakeUps);
    strays = new StrayRows(pool, store, quarantine, wakeUps, new FailingItems(pool));
    await fixture.define('mail', { duplicatePending: 'allow' });
  });
  afterEach(() => fixture.close());

  const sql = async <Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await fixture.pool.query<Row>(text, [...values])).rows;

  const quarantined = async (): Promise<string[]> =>
    (await sql<{ task_id: string }>('select task_id from quarantined')).map(({ task_id: task }) => task);

  const mended = async (): Promise<Record<string, number>> =>
    Object.fromEntries(
      (await sql<{ what: string; mended: string }>('select what, mended from mended_rows')).map(
        ({ what, mended: n }) => [what, Number(n)],
      ),
    );

  const claimedIds = async (max = 10): Promise<string[]> =>
    (await fixture.claim('mail', { max })).map(({ taskId }) => taskId);

  const enqueue = (...items: object[]): Promise<string[]> => fixture.enqueue('mail', items);

  async function mend(): Promise<void> {
    for (const pass of strays.passes) while (await pass.next());
  }

  async function readAgain(): Promise<void> {
    const chore = new ReadQuarantinedAgain(fixture.store, quarantine);
    await sql('update quarantined set retry_at = now()');
    await chore.act(await chore.find(10));
  }

  /** A due place of a task. */
  const place = (task: string, key: string | null): Promise<unknown> =>
    sql(
      `insert into waiting (task_id, queue, gate, due_at, key, priority, place) values ($1, 'mail', 'due', $2, $3, 0, 0)`,
      [task, PAST, key],
    );

  it('are none in a life of tasks with keys, prerequisites, due times and leases', async () => {
    await fixture.define('other');
    const [first] = await enqueue({ key: 'a' }, { key: 'a' }, { dueAt: FUTURE }, { key: 'b', dueAt: FUTURE }, {});
    await enqueue({ after: [{ task: first }] }, { key: 'a', after: [{ task: first }] });
    await mend();
    const claimed = await fixture.claim('mail', { max: 10, leaseMs: 1 });
    await mend();
    await fixture.settle(claimed.slice(0, 1), { type: 'succeed' });
    await mend();
    expect(await quarantined()).toEqual([]);
    expect(await mended()).toEqual({});
  });

  it.each([null, 'a'])(
    'a due place of no task (key %s) gives nothing out, stops nothing and is forgotten',
    async (key) => {
      await place(GHOST, key);
      const [first, second] = await enqueue({ ...(key && { key }) }, {});
      expect((await claimedIds()).sort()).toEqual([first, second].sort());
      await mend();
      expect(await sql('select task_id from waiting')).toEqual([]);
      expect(await mended()).toEqual({ waiting: 1 });
      expect(await quarantined()).toEqual([]);
    },
  );

  it('a due place of a task that lost its row puts it aside if its history is found, until the row is back', async () => {
    const [lost] = await enqueue({ dueAt: FUTURE });
    await sql('create table lost_rows as select * from tasks');
    await sql('delete from tasks');
    await sql('update waiting set due_at = $1', [PAST]);
    expect(await claimedIds()).toEqual([]);
    await mend();
    expect(await mended()).toEqual({ waiting: 1 });
    expect(await quarantined()).toEqual(findsHistories ? [lost] : []);
    await readAgain();
    expect(await quarantined()).toEqual(findsHistories ? [lost] : []);
    await sql('insert into tasks select * from lost_rows');
    await readAgain();
    expect(await quarantined()).toEqual([]);
    expect(await claimedIds()).toEqual(findsHistories ? [lost] : []);
  });

  it('tasks without a place in line get it again, by their priorities', async () => {
    const [low, high, middle] = await enqueue({ priority: 1 }, { priority: 3 }, { priority: 2 });
    await new ComparedFixture(fixture).settled();
    await sql('delete from ready');
    await mend();
    expect(await mended()).toEqual({ 'lost place': 3 });
    expect(await claimedIds()).toEqual([high, middle, low]);
  });

  it('a place of a task that runs is no place', async () => {
    await enqueue({});
    const [running] = await claimedIds();
    await place(running!, null);
    expect(await claimedIds()).toEqual([]);
    await mend();
    expect(await sql('select task_id from waiting')).toEqual([]);
    expect(await quarantined()).toEqual([]);
  });

  it('a lease of no task ends, and with it what it takes from limits and the end of its queue', async () => {
    const lease = `insert into leases (id, queue, worker, server, holder, claim_id, lease_ms, deadline, open, tasks)
      values ($1, 'mail', 'w', 's', 'ann', $2, 1000, $3, 1, $4)`;
    await sql(lease, [1_000_001, uuidv7(), PAST, [GHOST]]);
    await sql(lease, [1_000_002, uuidv7(), FUTURE, [GHOST]]);
    await enqueue({});
    await fixture.claim('mail', { leaseMs: 1 });
    await mend();
    const rows = await sql<{ id: string }>('select id from leases order by id');
    expect(rows).toHaveLength(2);
    expect(rows[1]).toEqual({ id: '1000002' });
    expect(await mended()).toEqual({ lease: 1 });
  });

  it('a lease of a task that lost its row ends once it is overdue, and the task then leaves its key', async () => {
    const [, next] = await enqueue({ key: 'a' }, { key: 'a' });
    const [claimed] = await fixture.claim('mail', { leaseMs: 60_000 });
    await sql('delete from tasks where task_id = $1', [claimed!.taskId]);
    await mend();
    expect(await claimedIds()).toEqual([]);
    await sql('update leases set deadline = $1', [PAST]);
    await mend();
    expect(await sql('select id from leases')).toEqual([]);
    expect(await quarantined()).toEqual(findsHistories ? [claimed!.taskId] : []);
    expect(await claimedIds()).toEqual(findsHistories ? [] : [next]);
  });

  it.each(['running', 'ready', 'waiting'])(
    'a key whose %s task does not exist is freed for the next one',
    async (column) => {
      await fixture.define('single', { duplicatePending: 'refuse' });
      await sql(`insert into key_slots (queue, key, ${column}) values ('mail', 'a', $1), ('single', 'a', $1)`, [GHOST]);
      const [task] = await enqueue({ key: 'a' });
      await mend();
      expect(await claimedIds()).toEqual([task]);
      const [single] = await fixture.enqueue('single', [{ key: 'a' }]);
      await mend();
      expect(await fixture.claim('single')).toMatchObject([{ taskId: single }]);
      expect(await quarantined()).toEqual([]);
      await mend();
      expect(await mended()).toEqual({ key: 2 });
    },
  );

  it('a key whose running task has ended is freed for the next one', async () => {
    const [first, second] = await enqueue({ key: 'a' }, { key: 'a' });
    await fixture.settle(await fixture.claim('mail'));
    await sql(`update key_slots set running = $1`, [first]);
    await sql('delete from ready');
    await sql(`update key_slots set ready = null`);
    await sql(
      `insert into waiting (task_id, queue, gate, key, priority, place) select task_id, queue, 'key', key, 0, seq from tasks where task_id = $1`,
      [second],
    );
    await mend();
    expect(await claimedIds()).toEqual([second]);
  });

  it('a key stays with a task whose row is wrong', async () => {
    const [first, second] = await enqueue({ key: 'a' }, { key: 'a' });
    await claimedIds();
    await sql(`update tasks set state = 'pending' where task_id = $1`, [first]);
    await mend();
    expect(await quarantined()).toEqual([first]);
    expect(await claimedIds()).toEqual([]);
    await sql(`update tasks set state = 'running' where task_id = $1`, [first]);
    await readAgain();
    expect(await quarantined()).toEqual([]);
    expect(second).toBeDefined();
  });

  it('a key is not blocked by a task that did not fail', async () => {
    await fixture.define('strict', { onKeyFailure: 'block', duplicatePending: 'allow' });
    const [first, second] = await fixture.enqueue('strict', [{ key: 'a' }, { key: 'a' }]);
    await fixture.settle(await fixture.claim('strict'));
    await sql(`insert into key_failures (queue, key, task_id) values ('strict', 'a', $1), ('strict', 'a', $2)`, [
      first,
      GHOST,
    ]);
    await sql(`delete from ready`);
    await sql(`update key_slots set ready = null`);
    await sql(
      `insert into waiting (task_id, queue, gate, key, priority, place) select task_id, queue, 'key', key, 0, seq from tasks where task_id = $1`,
      [second],
    );
    expect(await fixture.claim('strict')).toEqual([]);
    await mend();
    expect(await fixture.claim('strict')).toMatchObject([{ taskId: second }]);
    expect(await mended()).toEqual({ 'key failure': 2 });
  });

  it.each([
    ['fewer', 0],
    ['more', 3],
  ])(
    'a place that counts %s prerequisites than there are fails no append, and is let go at the end',
    async (_, blockers) => {
      const [first, other] = await enqueue({}, {});
      const [waiting] = await enqueue({ after: [{ task: first }, { task: other }] });
      const claimed = await fixture.claim('mail', { max: 2 });
      await sql('update waiting set blockers = $1', [blockers]);
      expect(await fixture.settle(claimed.slice(0, 1))).toMatchObject([{ kind: 'done' }]);
      await mend();
      expect(await claimedIds()).toEqual([]);
      expect(await fixture.settle(claimed.slice(1))).toMatchObject([{ kind: 'done' }]);
      await mend();
      expect(await claimedIds()).toEqual([waiting]);
      expect(await quarantined()).toEqual([]);
    },
  );
});

describe('leases whose claims are not in the index yet', () => {
  let dispatch: FollowedDispatch;
  beforeAll(async () => {
    dispatch = await openFollowedDispatch();
  });
  afterAll(() => dispatch.close());

  it('stay although no task points to them and they are overdue', async () => {
    const { pool, store, wakeUps } = dispatch;
    const strays = new StrayRows(pool, store, new PostgresQuarantine(pool, wakeUps), wakeUps, new FailingItems(pool));
    await dispatch.define('mail');
    await dispatch.enqueue('mail', [{}, {}]);
    const reserved = await reserveClaim(pool, 'mail', 2);
    await dispatch.log.append(reserved.map(recordingOf));
    await pool.query('update leases set deadline = $1', [PAST]);
    for (const pass of strays.passes) while (await pass.next());
    await dispatch.follow();
    expect((await pool.query('select open from leases')).rows).toEqual([{ open: 2 }]);
    expect(await dispatch.settle(reserved.map(claimedTask))).toMatchObject([{ kind: 'done' }, { kind: 'done' }]);
    expect((await pool.query('select from leases')).rows).toEqual([]);
  });
});
