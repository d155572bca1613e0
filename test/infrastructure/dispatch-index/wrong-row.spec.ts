import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { LeaseExpiry } from '../../../src/application/claims/lease-expiry.js';
import { QueueDirectory } from '../../../src/application/kernel/queue-directory.js';
import { ReadQuarantinedAgain } from '../../../src/infrastructure/sweeper/chores/read-quarantined-again.js';
import type { TaskCommand } from '../../../src/domain/task/task.commands.js';
import { DueWork } from '../../../src/infrastructure/sweeper/due-work.js';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { CONTEXT, type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const MOST = 2 ** 31 - 1;

const GHOST: { readonly id: string; readonly since: string | null } = {
  id: '01900000-0000-7000-8000-000000000000',
  since: null,
};

/** A command without what the fixture adds. */
const given = (command: object): Omit<TaskCommand, 'now' | 'by'> => command as Omit<TaskCommand, 'now' | 'by'>;

describe.each([
  ['Postgres', openDispatch],
  ['EventStoreDB', openReservedDispatch],
])('a task whose row in the index is wrong, with the events in %s', (_, open) => {
  let fixture: DispatchFixture;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await open();
    await fixture.define('mail');
  });
  afterEach(() => fixture.close());

  const enqueue = (count: number): Promise<string[]> =>
    fixture.enqueue(
      'mail',
      Array.from({ length: count }, () => ({})),
    );

  const claimedIds = async (max: number): Promise<string[]> =>
    (await fixture.claim('mail', { max })).map(({ taskId }) => taskId);

  const setRevision = (taskId: string, revision: number): Promise<unknown> =>
    fixture.pool.query('update tasks set revision = $2 where task_id = $1', [taskId, revision]);

  async function quarantined(): Promise<{ task_id: string; error: string }[]> {
    const { rows } = await fixture.pool.query<{ task_id: string; error: string }>(
      'select task_id, error from quarantined order by task_id',
    );
    return rows;
  }

  async function readAgain(): Promise<void> {
    const quarantine = new PostgresQuarantine(fixture.pool, fixture.wakeUps);
    const chore = new ReadQuarantinedAgain(fixture.store, quarantine);
    await fixture.pool.query('update quarantined set retry_at = now()');
    await chore.act(await chore.find(10));
  }

  it.each([
    ['first', 0, 5],
    ['first', 0, MOST],
    ['in the middle', 50, 5],
    ['last', 99, MOST],
  ])('and that is %s in line (%i, revision %i) does not stop the others of a batch', async (_, at, revision) => {
    const tasks = await enqueue(100);
    const wrong = tasks[at]!;
    await setRevision(wrong, revision);
    const claimed = new Set<string>();
    for (let claims = 0; claims < 6 && claimed.size < 99; claims++)
      for (const task of await claimedIds(50)) claimed.add(task);
    expect([...claimed].sort()).toEqual(tasks.filter((task) => task !== wrong).sort());
    await claimedIds(1);
    expect(await quarantined()).toEqual([{ task_id: wrong, error: expect.stringContaining(`0 and ${revision}`) }]);
  });

  it('is put aside by the claim of one task that meets it, which gets the next', async () => {
    const [first, second] = await enqueue(2);
    await setRevision(first!, 5);
    expect(await claimedIds(1)).toEqual([second]);
    expect(await quarantined()).toMatchObject([{ task_id: first }]);
  });

  it('is put aside together with others', async () => {
    const [first, second, third, fourth] = await enqueue(4);
    for (const task of [first!, second!, third!]) await setRevision(task, 7);
    expect(await claimedIds(1)).toEqual([fourth]);
    expect((await quarantined()).map(({ task_id: task }) => task)).toEqual([first, second, third].sort());
  });

  it('is taken back at its place only once its row is repaired', async () => {
    const [first, second, third] = await enqueue(3);
    await setRevision(first!, 5);
    expect(await claimedIds(1)).toEqual([second]);
    await readAgain();
    expect(await quarantined()).toMatchObject([{ task_id: first }]);
    await setRevision(first!, 0);
    await readAgain();
    expect(await quarantined()).toEqual([]);
    expect(await claimedIds(2)).toEqual([first, third]);
  });

  it('is found although the history is readable, and keeps its state until it is mended', async () => {
    const [first] = await enqueue(1);
    await fixture.pool.query("update tasks set state = 'running' where task_id = $1", [first]);
    await fixture.pool.query("insert into quarantined (task_id, error, retry_at) values ($1, 'by hand', now())", [
      first,
    ]);
    await readAgain();
    expect(await quarantined()).toEqual([
      { task_id: first, error: expect.stringContaining('it is pending, and running') },
    ]);
  });

  it('and that is in the lane although it runs does not stop the queue', async () => {
    const [first] = await enqueue(1);
    await claimedIds(1);
    const [second] = await enqueue(1);
    await offer(first!, -1);
    expect(await claimedIds(1)).toEqual([second]);
    expect(await quarantined()).toEqual([
      { task_id: first, error: expect.stringContaining('it is running, and ready') },
    ]);
    await readAgain();
    expect(await quarantined()).toEqual([]);
    const [third] = await enqueue(1);
    expect(await claimedIds(2)).toEqual([third]);
  });

  it.each([
    ['without events', GHOST],
    ['without events that came back', { ...GHOST, since: 'now' }],
  ])('and that is one %s and without a row does not stop the queue', async (_, ghost) => {
    const [first, second] = await enqueue(2);
    await fixture.pool.query(
      'insert into ready (queue, priority, from_seq, to_seq, task_id, since) values ($1, 0, -1, -1, $2, $3)',
      ['mail', ghost.id, ghost.since],
    );
    expect(await claimedIds(1)).toEqual([first]);
    expect(await claimedIds(1)).toEqual([second]);
    expect(await quarantined()).toEqual([{ task_id: ghost.id, error: expect.any(String) }]);
    await readAgain();
    expect(await quarantined()).toMatchObject([{ task_id: ghost.id }]);
  });

  it('and that lacks its row does not stop the queue', async () => {
    const [first, second] = await enqueue(2);
    await fixture.pool.query('delete from tasks where task_id = $1', [first]);
    expect(await claimedIds(1)).toEqual([second]);
    await readAgain();
    expect(await quarantined()).toEqual([{ task_id: first, error: expect.stringContaining('in the index differ') }]);
  });

  it('and that waits nowhere takes commands nevertheless, which give it a place', async () => {
    const [first] = await enqueue(1);
    await fixture.pool.query('delete from ready');
    expect(await fixture.command(first!, given({ type: 'ReprioritiseTask', priority: 3 }))).toBe('accepted');
    expect(await claimedIds(1)).toEqual([first]);
    expect(await quarantined()).toEqual([]);
  });

  /** Puts a task into the lane of its queue. */
  const offer = (taskId: string, place: number): Promise<unknown> =>
    fixture.pool.query(
      "insert into ready (queue, priority, from_seq, to_seq, task_id, since) values ('mail', 0, $2, $2, $1, now())",
      [taskId, place],
    );
});

describe('a task in Postgres whose row in the index is wrong', () => {
  let fixture: DispatchFixture;

  beforeEach(async () => {
    Logger.overrideLogger(false);
    fixture = await openDispatch();
    await fixture.define('mail');
  });
  afterEach(() => fixture.close());

  const setRevision = (taskId: string, revision: number): Promise<unknown> =>
    fixture.pool.query('update tasks set revision = $2 where task_id = $1', [taskId, revision]);

  async function quarantined(): Promise<string[]> {
    const { rows } = await fixture.pool.query<{ task_id: string }>('select task_id from quarantined');
    return rows.map(({ task_id: taskId }) => taskId);
  }

  const CAUSE = 'its history and its row in the index differ: revisions 0 and 5';

  it.each([
    { type: 'AbortTask', reason: null },
    { type: 'CancelTask', reason: null },
    { type: 'HoldTask', reason: null },
    { type: 'ReprioritiseTask', priority: 3 },
    { type: 'RescheduleTask', dueAt: '2100-01-01T00:00:00.000Z' },
    { type: 'AmendPayload', payload: 1 },
    { type: 'DeleteTask', force: false },
  ] as const)('refuses $type with the cause, and is put aside', async (command) => {
    const [task] = await fixture.enqueue('mail', [{}]);
    await setRevision(task!, 5);
    await expect(fixture.command(task!, given(command))).rejects.toThrow(CAUSE);
    expect(await quarantined()).toEqual([task]);
    await setRevision(task!, 0);
    expect(await fixture.command(task!, given(command))).toBe('accepted');
  });

  it('is told to the worker that settles it, and no other of its reports is', async () => {
    await fixture.enqueue('mail', [{}, {}, {}]);
    const claimed = await fixture.claim('mail', { max: 3 });
    await setRevision(claimed[1]!.taskId, 5);
    const rejection = { code: 'STREAM_UNREADABLE', reason: expect.stringContaining('revisions 1 and 5') };
    const expected = [{ kind: 'done' }, { kind: 'refused', rejection }, { kind: 'done' }];
    expect(await fixture.settle(claimed)).toMatchObject(expected);
    expect(await quarantined()).toEqual([claimed[1]!.taskId]);
  });

  it('is put aside by the sweeper that expires its lease, which ends the others', async () => {
    await fixture.enqueue('mail', [{}, {}]);
    const [wrong, other] = await fixture.claim('mail', { max: 2, leaseMs: 1 });
    await setRevision(wrong!.taskId, 5);
    const due = new DueWork(fixture.pool);
    const overdue = await due.overdueLeases(10);
    expect(overdue.map(({ taskId }) => taskId).sort()).toEqual([wrong!.taskId, other!.taskId].sort());
    const expiry = new LeaseExpiry(fixture.runner, fixture.clock, new QueueDirectory(fixture.store));
    expect(await expiry.expire(overdue, CONTEXT)).toBe(1);
    expect(await quarantined()).toEqual([wrong!.taskId]);
    expect(await due.overdueLeases(10)).toEqual([]);
  });

  it('is none that a claim has locked: the command waits for it', async () => {
    const [task] = await fixture.enqueue('mail', [{}]);
    const claim = await fixture.pool.connect();
    await claim.query('begin');
    await claim.query('select from ready for update');
    const command = fixture.command(task!, given({ type: 'CancelTask', reason: null }));
    await Promise.race([watchAppends(fixture, 3), command]).catch(() => undefined);
    await claim.query('rollback');
    claim.release();
    expect(await command).toBe('accepted');
    expect(await quarantined()).toEqual([]);
  });
});

/** Resolves after so many more appends. */
function watchAppends({ store }: DispatchFixture, count: number): Promise<void> {
  const append = store.append.bind(store);
  return new Promise((resolve) => {
    let seen = 0;
    store.append = async (items, options) => {
      const results = await append(items, options);
      if (++seen === count) resolve();
      return results;
    };
  });
}
