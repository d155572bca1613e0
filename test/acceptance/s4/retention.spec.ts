import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  EnqueueOptions,
  PolicyChanges,
  QueueHandle,
  RefusedItem,
  SettleVerdict,
  TaskDetails,
  TaskFilter,
} from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(policy: PolicyChanges): Promise<QueueHandle> {
  const queue = service.waybill.queue(`kept-${++made}`);
  await queue.define({ onFailure: 'fail', ...policy });
  return queue;
}

const FAIL: SettleVerdict = { type: 'fail', error: { message: 'The supplier does not answer' } };

const STATES = ['DONE', 'FAILED', 'DELETED', 'IN_PROGRESS', 'NEW'] as const;
type Items = Readonly<Record<(typeof STATES)[number], string>>;

/** One item in each state, with the state as its reference. */
async function oneOfEach(queue: QueueHandle): Promise<Items> {
  const add = async (reference: string) => (await queue.enqueue(null, { reference })).id;
  const claim = async () => (await queue.claim({ worker: 'robot-1', max: 1, waitMs: 30_000, leaseMs: 43_200_000 }))[0]!;
  const settle = async (verdict: SettleVerdict) => {
    const { taskId, token } = await claim();
    await service.waybill.settle([{ taskId, token, verdict }]);
  };
  const DONE = await add('DONE');
  await settle({ type: 'succeed', result: { invoice: 7 } });
  const FAILED = await add('FAILED');
  await settle(FAIL);
  const DELETED = await add('DELETED');
  await service.waybill.task(DELETED).delete();
  const IN_PROGRESS = await add('IN_PROGRESS');
  expect((await claim()).taskId).toBe(IN_PROGRESS);
  return { DONE, FAILED, DELETED, IN_PROGRESS, NEW: await add('NEW') };
}

/** Gives the queue a retention, by which the service looks through its items at once. */
async function retain(queue: QueueHandle, retention: NonNullable<PolicyChanges['retention']>): Promise<void> {
  const { policyVersion } = await queue.get();
  await queue.changePolicy({ retention }, { ifVersion: policyVersion });
}

const archived = (id: string): Promise<TaskDetails> =>
  until('the item to be archived', async () => {
    const task = await service.waybill.task(id).get();
    return task.archivedAt === null ? null : task;
  });

/** Lets time pass, and waits until the service has looked through the queue's items since. */
async function passed(queue: QueueHandle, time: string): Promise<void> {
  const looked = async () => (await queue.retention()).lastPassAt;
  const before = await until('a first look', looked);
  await service.passTime(time);
  await until('another look', async () => ((await looked())! > before ? true : null));
}

/** The references of the items that the queue's lists show: all together, and the same by their states. */
async function listed(queue: QueueHandle): Promise<string[]> {
  const references = async (filter: TaskFilter) =>
    (await service.waybill.tasks.page({ queue: queue.name, ...filter })).items.map((task) => task.reference!);
  const all = await references({});
  const byState = await Promise.all(
    (['succeeded', 'failed', 'deleted', 'running', 'pending'] as const).map((state) => references({ state })),
  );
  expect(byState.flat().toSorted()).toEqual(all.toSorted());
  return all;
}

describe('retention', () => {
  it('S4-38 takes DONE and DELETED items out of the views after their time, and never NEW, IN_PROGRESS or FAILED ones', async () => {
    const queue = await newQueue({ retention: { succeeded: 7, deleted: 1 } });
    const items = await oneOfEach(queue);
    await passed(queue, '13 hours');
    expect(await listed(queue)).toHaveLength(5);
    await passed(queue, '13 hours');
    expect(await listed(queue)).toEqual(['DONE', 'FAILED', 'IN_PROGRESS', 'NEW']);
    await passed(queue, '5 days 13 hours');
    expect(await listed(queue)).toEqual(['DONE', 'FAILED', 'IN_PROGRESS', 'NEW']);
    await passed(queue, '13 hours');
    expect(await listed(queue)).toEqual(['FAILED', 'IN_PROGRESS', 'NEW']);
    expect([await archived(items.DELETED), await archived(items.DONE)]).toMatchObject([
      { state: 'deleted' },
      { state: 'succeeded' },
    ]);
    await passed(queue, '400 days');
    expect(await listed(queue)).toEqual(['FAILED', 'IN_PROGRESS', 'NEW']);
  });

  it('S4-38 S4-16 finds an item whose robot stalls by itself, though nobody asks for work', async () => {
    const queue = await newQueue({ leaseMs: 1_000 });
    const task = service.waybill.task((await queue.enqueue()).id);
    await queue.claim({ worker: 'robot-1' });
    await until('the item to return', async () => ((await task.get()).state === 'pending' ? true : null));
    expect((await task.history()).map(({ type }) => type)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskLeaseExpired']);
  });

  it("S4-38 takes FAILED items if the queue's policy says so, also if it says so later", async () => {
    const queue = await newQueue({});
    const items = await oneOfEach(queue);
    await retain(queue, { succeeded: 0 });
    await archived(items.DONE);
    expect(await listed(queue)).toEqual(['FAILED', 'DELETED', 'IN_PROGRESS', 'NEW']);
    await retain(queue, { failed: 0 });
    await archived(items.FAILED);
    expect(await listed(queue)).toEqual(['DELETED', 'IN_PROGRESS', 'NEW']);
    expect((await queue.stats()).failedByClass).toMatchObject({ application: 1 });
  });

  it('S4-38 says beforehand which items leave the views, by the policy or by days that are only tried', async () => {
    const queue = await newQueue({ retention: { succeeded: 30 } });
    const items = await oneOfEach(queue);
    const ends = Object.fromEntries(
      await Promise.all(
        (['DONE', 'FAILED', 'DELETED'] as const).map(
          async (state) => [state, (await service.waybill.task(items[state]).get()).finishedAt] as const,
        ),
      ),
    );
    const none = { days: 30, tasks: 0, oldestEndedAt: null, first: [] };
    expect((await queue.retention()).states).toEqual([{ state: 'succeeded', ...none }]);
    expect(await queue.retention({ deleted: 0, failed: 0, succeeded: 30 })).toMatchObject({
      archived: 0,
      more: false,
      states: [
        { state: 'succeeded', ...none },
        { state: 'failed', days: 0, tasks: 1, oldestEndedAt: ends.FAILED, first: [items.FAILED] },
        { state: 'deleted', days: 0, tasks: 1, oldestEndedAt: ends.DELETED, first: [items.DELETED] },
      ],
    });
    expect(await listed(queue)).toHaveLength(5);
    await retain(queue, { succeeded: 0 });
    await archived(items.DONE);
    const after = await queue.retention();
    expect(after).toMatchObject({ archived: 1, lastPassAt: expect.any(String), states: [{ tasks: 0 }] });
  });

  it('S4-38 keeps what an item was, its history, and its way back by hand', async () => {
    const queue = await newQueue({});
    const items = await oneOfEach(queue);
    await retain(queue, { succeeded: 0, failed: 0 });
    const done = await archived(items.DONE);
    expect(done).toMatchObject({ state: 'succeeded', reference: 'DONE', result: { invoice: 7 }, attempt: 1 });
    const history = await service.waybill.task(items.DONE).history();
    expect(history.map(({ type }) => type)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);
    await archived(items.FAILED);
    await service.waybill.task(items.FAILED).retry();
    expect(await service.waybill.task(items.FAILED).get()).toMatchObject({ state: 'pending', archivedAt: null });
    expect(await listed(queue)).toContain('FAILED');
  });

  it('S4-38 takes several commands for an archived item in one transaction', async () => {
    const queue = await newQueue({});
    const { FAILED } = await oneOfEach(queue);
    await retain(queue, { failed: 0 });
    await archived(FAILED);
    await service.waybill.transaction((tx) => {
      tx.task(FAILED).prioritise(5);
      tx.task(FAILED).retry();
    });
    expect(await service.waybill.task(FAILED).get()).toMatchObject({ state: 'pending', priority: 5, archivedAt: null });
  });

  it('S4-38 gives archived items the command of an operation that names them', async () => {
    const queue = await newQueue({});
    const { FAILED } = await oneOfEach(queue);
    await retain(queue, { failed: 0 });
    await archived(FAILED);
    expect(await service.waybill.operate('retry', { tasks: [FAILED] })).toMatchObject({ count: 1 });
    await until(
      'the item to be retried',
      async () => (await service.waybill.task(FAILED).get()).state === 'pending' || null,
    );
  });

  it('S4-38 deletes the archived items of an aborted batch with it', async () => {
    const queue = await newQueue({});
    const batch = await service.waybill.createBatch({ name: 'nightly' });
    const { id } = await queue.enqueue(null, { batch: batch.id });
    await batch.abort();
    await until(
      'the item to be aborted',
      async () => (await service.waybill.task(id).get()).state === 'aborted' || null,
    );
    // It stays in the lists as long as its batch may repeat it.
    await until('the batch to be aborted', async () => (await batch.get()).state === 'aborted' || null);
    await retain(queue, { aborted: 0 });
    // A look that comes before all that follows from the abort leaves it to the next one, ten minutes later.
    await until('the item to be archived', async () => {
      if ((await service.waybill.task(id).get()).archivedAt !== null) return true;
      await passed(queue, '13 hours');
      return null;
    });
    await batch.delete();
    await until(
      'the item to be deleted',
      async () => (await service.waybill.task(id).get()).state === 'deleted' || null,
    );
    expect((await service.waybill.task(id).get()).state).toBe('deleted');
  });

  it('S4-38 leaves in the lists what a shutdown stopped, and what a batch may still repeat', async () => {
    const queue = await newQueue({});
    const batch = await service.waybill.createBatch({ name: 'weekly' });
    const settled = async (verdict: SettleVerdict, options: EnqueueOptions = {}): Promise<string> => {
      const { id } = await queue.enqueue(null, options);
      if (options.batch !== undefined) await batch.open(1);
      const [claimed] = await queue.claim({ worker: 'robot-1', max: 1 });
      await service.waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict }]);
      return id;
    };
    const stopped = await settled({ type: 'cancel', reason: 'the robot is switched off' });
    const member = await settled(FAIL, { batch: batch.id });
    await until('the batch to fail', async () => (await batch.get()).state === 'failed' || null);
    // The last of the queue, so the others have been looked at once it has left.
    const last = await settled(FAIL);
    await retain(queue, { cancelled: 0, failed: 0 });
    await archived(last);
    for (const id of [stopped, member]) expect((await service.waybill.task(id).get()).archivedAt).toBeNull();
    await service.waybill.system.resume();
    await until(
      'the item to wait',
      async () => (await service.waybill.task(stopped).get()).state === 'pending' || null,
    );
  });

  it('S4-09 keeps references taken by archived items, by the rule of their queue', async () => {
    for (const [uniqueReference, taken] of [
      ['always', ['DONE', 'FAILED', 'DELETED']],
      ['open', ['FAILED']],
    ] as const) {
      const queue = await newQueue({ uniqueReference });
      const items = await oneOfEach(queue);
      await retain(queue, { succeeded: 0, failed: 0, deleted: 0 });
      for (const state of ['DONE', 'FAILED', 'DELETED'] as const) await archived(items[state]);
      const outcomes = await queue.enqueueMany(['DONE', 'FAILED', 'DELETED'].map((reference) => ({ reference })));
      const problems = outcomes.flatMap((outcome) => (outcome as Partial<RefusedItem>).problem ?? []);
      expect(problems).toMatchObject(
        taken.map((state) => ({ code: 'REFERENCE_IN_USE', conflictingTaskId: items[state] })),
      );
    }
  });
});
