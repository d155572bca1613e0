import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { PostgresQuarantine } from '../../../src/infrastructure/dispatch-index/postgres-quarantine.js';
import { ReadQuarantinedAgain } from '../../../src/infrastructure/sweeper/chores/read-quarantined-again.js';
import { type DispatchFixture, openDispatch, openReservedDispatch } from '../../support/dispatch-fixture.js';

const MOST = 2 ** 31 - 1;

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
});
