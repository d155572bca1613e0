import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, PolicyChanges, QueueHandle, SettleVerdict, TaskDetails } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(policy: PolicyChanges = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`items-${++made}`);
  await queue.define(policy, { preset: 'rpa-items' });
  return queue;
}

async function next(queue: QueueHandle, robot = 'robot-1'): Promise<ClaimedTask> {
  const [item] = await queue.claim({ worker: robot });
  if (!item) throw new Error(`Expected an item in '${queue.name}', but there is none`);
  return item;
}

const item = (id: string): Promise<TaskDetails> => service.waybill.task(id).get();

const settle = ({ taskId, token }: ClaimedTask, verdict: SettleVerdict) =>
  service.waybill.settle([{ taskId, token, verdict }]);

const FAILED = { type: 'fail', error: { message: 'The total is wrong', class: 'business' } } as const;

describe('a new item', () => {
  it('S4-06 is NEW, was never retried, and has the time of its creation', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue({ invoice: 7 });
    const { stateName, attempt, enqueuedAt, updatedAt, startedAt } = await item(id);
    expect({ stateName, attempt, startedAt }).toEqual({ stateName: 'NEW', attempt: 0, startedAt: null });
    expect(updatedAt).toBe(enqueuedAt);
    expect(Math.abs(Date.parse(enqueuedAt!) - Date.now())).toBeLessThan(600_000);
  });

  it('S4-10 has priority 0, or the one that is given', async () => {
    const queue = await newQueue();
    const [plain, given] = [await queue.enqueue(), await queue.enqueue(null, { priority: -12 })];
    expect((await item(plain.id)).priority).toBe(0);
    expect((await item(given.id)).priority).toBe(-12);
  });

  it.each([[{ a: [1, { b: null }] }], [['x', 2]], ['plain text'], ['{"not": parsed}'], [42], [null]])(
    'S4-11 keeps its payload %j as given',
    async (payload) => {
      const queue = await newQueue();
      const { id } = await queue.enqueue(payload);
      expect((await item(id)).payload).toEqual(payload);
      expect((await next(queue)).payload).toEqual(payload);
    },
  );
});

describe('a reference', () => {
  it('S4-07 is refused twice where references are unique, and the refusal names the item that has it', async () => {
    const queue = await newQueue({ uniqueReference: 'always' });
    const { id } = await queue.enqueue(1, { reference: 'INV-1' });
    const refusal = await refusalOf(queue.enqueue(2, { reference: 'INV-1' }));
    expect(refusal).toMatchObject({ status: 409, code: 'REFERENCE_IN_USE', problem: { conflictingTaskId: id } });
    const other = await newQueue({ uniqueReference: 'always' });
    await expect(other.enqueue(1, { reference: 'INV-1' })).resolves.toMatchObject({ status: 'enqueued' });
  });

  it('S4-07 may be given twice elsewhere, and items without one never collide', async () => {
    const [plain, unique] = [await newQueue(), await newQueue({ uniqueReference: 'always' })];
    const twice = [await plain.enqueue(1, { reference: 'R' }), await plain.enqueue(2, { reference: 'R' })];
    const none = [await unique.enqueue(1), await unique.enqueue(2)];
    for (const [one, another] of [twice, none]) expect(one!.id).not.toBe(another!.id);
  });

  it('S4-08 is given to one of twenty items that are posted at once', async () => {
    const queue = await newQueue({ uniqueReference: 'always' });
    const other = await service.addInstance();
    const posts = Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? queue : other.queue(queue.name)).enqueue(at, { reference: 'INV-1' }),
    );
    const outcomes = await Promise.allSettled(posts);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused).toHaveLength(19);
    for (const reason of refused) expect(reason).toMatchObject({ status: 409, code: 'REFERENCE_IN_USE' });
  });
});

describe('the next item', () => {
  it('S4-13 is the one with the highest priority, then the oldest, and becomes IN_PROGRESS', async () => {
    const queue = await newQueue();
    const old = await queue.enqueue('old', { reference: 'r1' });
    const young = await queue.enqueue('young');
    const urgent = await queue.enqueue('urgent', { priority: 5, reference: 'r3' });
    const given = await next(queue);
    expect(given).toMatchObject({ taskId: urgent.id, payload: 'urgent', reference: 'r3', priority: 5 });
    const { stateName, updatedAt, enqueuedAt } = await item(urgent.id);
    expect(stateName).toBe('IN_PROGRESS');
    expect(Date.parse(updatedAt!)).toBeGreaterThanOrEqual(Date.parse(enqueuedAt!));
    expect([(await next(queue)).taskId, (await next(queue)).taskId]).toEqual([old.id, young.id]);
    expect(await queue.claim({ worker: 'robot-1' })).toEqual([]);
  });

  it('S4-14 is given to one robot, however many ask at once', async () => {
    const queue = await newQueue();
    const ids = (await queue.enqueueMany(Array.from({ length: 30 }, (_, payload) => ({ payload })))).map((outcome) =>
      'id' in outcome ? outcome.id : '',
    );
    const claims = Array.from({ length: 40 }, (_, at) => queue.claim({ worker: `robot-${at}` }));
    const given = (await Promise.all(claims)).flat().map(({ taskId }) => taskId);
    expect(given).toHaveLength(30);
    expect(new Set(given)).toEqual(new Set(ids));
  });

  it('S4-15 says which robot has it since when', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await next(queue, 'robot-7');
    const { worker, startedAt, enqueuedAt } = await item(id);
    expect(worker).toBe('robot-7');
    expect(Date.parse(startedAt!)).toBeGreaterThanOrEqual(Date.parse(enqueuedAt!));
  });

  it('S4-16 returns by itself from a robot that stalls, though nothing is retried, and fails at the limit', async () => {
    const queue = await newQueue({ maxLost: 1 });
    const { id } = await queue.enqueue();
    const first = await next(queue);
    const [kept] = await service.waybill.extend([{ taskId: id, token: first.token }]);
    expect(kept).toHaveProperty('deadline');
    await service.passTime('13 hours');
    const again = await until('the item to return', async () => (await queue.claim({ worker: 'robot-2' }))[0] ?? null);
    expect(again).toMatchObject({ taskId: id, attempt: 2 });
    expect(await service.waybill.extend([{ taskId: id, token: first.token }])).toMatchObject([{ kind: 'lost' }]);
    await service.passTime('13 hours');
    await until('the item to fail', async () => ((await item(id)).stateName === 'FAILED' ? true : null));
    const lost = (await service.waybill.task(id).history()).filter(({ type }) => type === 'TaskLeaseExpired');
    expect(lost.map(({ data }) => (data as { worker: string }).worker)).toEqual(['robot-1', 'robot-2']);
  });
});

describe('an inactive queue', () => {
  it('S4-17 refuses items and gives out none, until it is active again', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await queue.closeIntake({ reason: 'a holiday' });
    await queue.pause({ reason: 'a holiday' });
    expect(await refusalOf(queue.enqueue())).toMatchObject({ status: 409, code: 'INTAKE_CLOSED' });
    expect(await queue.claim({ worker: 'robot-1' })).toEqual([]);
    await queue.openIntake();
    await queue.resume();
    await queue.enqueue();
    expect((await next(queue)).taskId).toBe(id);
  });
});

describe('the end of an item', () => {
  it('S4-18 has a status, and a result or an error', async () => {
    const queue = await newQueue();
    await queue.enqueueMany([{}, {}]);
    const [done, failed] = [await next(queue), await next(queue)];
    await settle(done, { type: 'succeed', result: { booked: 12 } });
    await settle(failed, FAILED);
    expect(await item(done.taskId)).toMatchObject({ stateName: 'DONE', result: { booked: 12 }, error: null });
    const error = { message: 'The total is wrong', class: 'business' };
    expect(await item(failed.taskId)).toMatchObject({ stateName: 'FAILED', result: null, error });
  });

  it('S4-24 never leads back to NEW by itself', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await settle(await next(queue), FAILED);
    await service.passTime('1000 days');
    expect((await item(id)).stateName).toBe('FAILED');
    expect(await queue.claim({ worker: 'robot-1' })).toEqual([]);
    await service.waybill.task(id).retry();
    expect((await item(id)).stateName).toBe('NEW');
    expect(await next(queue)).toMatchObject({ taskId: id, attempt: 2 });
  });

  it('S4-20 is gone from the queue and its counts once it is deleted, and can still be read', async () => {
    const queue = await newQueue();
    const [{ id }, other] = [await queue.enqueue('gone'), await queue.enqueue('stays')];
    const { position } = await service.waybill.task(id).delete({ reason: 'a test' });
    const { counts } = await queue.stats({ minPosition: position });
    expect(counts).toMatchObject({ pending: 1, deleted: 1 });
    expect((await next(queue)).taskId).toBe(other.id);
    expect(await queue.claim({ worker: 'robot-1' })).toEqual([]);
    expect(await item(id)).toMatchObject({ stateName: 'DELETED', payload: 'gone' });
  });
});

describe('the deletion of an item', () => {
  it.each(['NEW', 'IN_PROGRESS', 'DONE', 'FAILED'])(
    'S4-20 takes one that is %s out of the queue and its counts, and it can still be read',
    async (state) => {
      const { queue, id } = await itemIn(state);
      await service.waybill.task(id).delete({ force: true });
      const { position } = await service.waybill.task((await queue.enqueue('stays')).id).prioritise(1);
      const { counts, failedByClass, processingMs } = await queue.stats({ minPosition: position });
      const open = { pending: 1, running: 0, succeeded: 0, failed: 0 };
      expect(counts).toMatchObject(open);
      expect(Object.values(failedByClass).every((tasks) => tasks === 0)).toBe(true);
      // What a robot did stays in the average; an item that had failed does not.
      expect(processingMs.count).toBe(state === 'DONE' ? 1 : 0);
      expect(await queue.claim({ worker: 'robot-1', max: 10 })).toMatchObject([{ payload: 'stays' }]);
      expect(await item(id)).toMatchObject({ stateName: 'DELETED' });
    },
  );
});

/** Takes an item of a new queue to the state. */
async function itemIn(stateName: string): Promise<{ readonly queue: QueueHandle; readonly id: string }> {
  const queue = await newQueue();
  const { id } = await queue.enqueue();
  if (stateName === 'DELETED') await service.waybill.task(id).delete();
  if (!['NEW', 'DELETED'].includes(stateName)) {
    const claimed = await next(queue);
    if (stateName === 'DONE') await settle(claimed, { type: 'succeed', result: null });
    if (stateName === 'FAILED') await settle(claimed, FAILED);
  }
  expect((await item(id)).stateName).toBe(stateName);
  return { queue, id };
}

describe('the statuses', () => {
  const STATES = ['NEW', 'IN_PROGRESS', 'DONE', 'FAILED', 'DELETED'];

  it('S4-03 are five', async () => {
    for (const state of STATES) await itemIn(state);
    const { vocabulary } = (await (await newQueue()).get()).policy;
    expect(new Set(Object.values(vocabulary!))).toEqual(new Set(STATES));
  });
});
