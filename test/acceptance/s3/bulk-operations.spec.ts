import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskDetails } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';
import { type ConsoleQueue, makeConsole } from './console.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  const queue = await makeConsole(service.waybill);
  // The first operation defines their queue.
  await ended((await service.waybill.operate('hold', { tasks: [await queue.add('first')] })).id);
});
afterAll(() => service.stop());

const namesOf = (count: number): string[] => Array.from({ length: count }, (_, n) => `task ${n}`);

async function makeFailures(count: number): Promise<ConsoleQueue> {
  const queue = await makeConsole(service.waybill);
  await queue.addAll(Object.fromEntries(namesOf(count).map((name) => [name, []])));
  await queue.take();
  for (const name of namesOf(count)) await queue.fail(name);
  return queue;
}

/** The operation's task once it has ended. */
const ended = (id: string | null): Promise<TaskDetails> =>
  until(`operation '${id}' to end`, async () => {
    const task = await service.waybill.task(id!).get();
    return task.finishedAt === null ? null : task;
  });

const failedIn = (queue: ConsoleQueue) => ({ filter: { queue: queue.handle.name, state: 'failed' } }) as const;

describe('a command for many tasks', () => {
  it('S3-01 S3-02 given a repair, one operation retries all tasks that failed, and no others', async () => {
    const [queue, other] = [await makeFailures(5), await makeFailures(1)];
    const waybill = service.as('ann');
    const { id, count } = await waybill.operate('retry', failedIn(queue), { reason: 'the disk is empty again' });
    expect(count).toBe(5);
    const operation = await ended(id);
    expect(operation).toMatchObject({
      state: 'succeeded',
      queue: 'waybill.operations',
      kind: 'retry',
      result: { asked: 5, done: 5, refused: {}, examples: [] },
    });
    expect(await queue.states(...namesOf(5))).toEqual(namesOf(5).map(() => 'pending'));
    expect(await other.states('task 0')).toEqual(['failed']);
    const last = (await queue.task('task 0').history()).at(-1)!;
    expect(last).toMatchObject({
      type: 'TaskRetried',
      envelope: { actor: 'ann', reason: 'the disk is empty again', correlationId: id },
    });
  });

  it('counts the tasks in a preview, and changes nothing', async () => {
    const queue = await makeFailures(3);
    expect(await service.waybill.operate('abort', failedIn(queue), { preview: true })).toEqual({
      count: 3,
      id: null,
      position: null,
    });
    expect(await queue.states(...namesOf(3))).toEqual(['failed', 'failed', 'failed']);
  });

  it('given named tasks, says which of them refused the command and why', async () => {
    const queue = await makeFailures(2);
    await queue.add('waiting');
    const tasks = ['task 0', 'task 1', 'waiting'].map((name) => queue.idOf(name));
    const { id } = await service.waybill.operate('retry', { tasks });
    expect((await ended(id)).result).toEqual({
      asked: 3,
      done: 2,
      refused: { ILLEGAL_TRANSITION: 1 },
      examples: [{ task: queue.idOf('waiting'), code: 'ILLEGAL_TRANSITION' }],
    });
  });

  it('S3-08 given a priority, sets it on every task that matches', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ a: [], b: [] });
    const filter = { queue: queue.handle.name };
    const { id } = await service.waybill.operate('prioritise', { filter }, { priority: 7 });
    await ended(id);
    expect([(await queue.get('a')).priority, (await queue.get('b')).priority]).toEqual([7, 7]);
  });

  it.each([
    ['retry', 'failed', 'pending'],
    ['cancel', 'waiting', 'cancelled'],
    ['abort', 'failed', 'aborted'],
    ['hold', 'waiting', 'held'],
    ['release', 'held', 'pending'],
    ['prioritise', 'waiting', 'pending'],
    ['delete', 'failed', 'deleted'],
  ] as const)('gives the command %s to all tasks that match', async (command, name, state) => {
    const queue = await makeConsole(service.waybill);
    const label = { name: 'for', value: queue.handle.name };
    const more = { labels: { for: queue.handle.name } };
    await queue.add('failed', [], more);
    await queue.take();
    await queue.fail('failed');
    await queue.add('held', [], { ...more, hold: {} });
    await queue.add('waiting', [], more);
    const given = { failed: 'failed', held: 'held', waiting: 'pending' } as const;
    const options = { reason: 'by all means', ...(command === 'prioritise' && { priority: 3 }) };
    const { id, count } = await service.waybill.operate(command, { filter: { label, state: given[name] } }, options);
    expect([count, (await ended(id)).result]).toMatchObject([1, { asked: 1, done: 1, refused: {} }]);
    expect(await queue.states('failed', 'held', 'waiting')).toEqual(
      Object.entries({ ...given, [name]: state }).map(([, one]) => one),
    );
    expect((await queue.task(name).history()).at(-1)!.envelope).toMatchObject({
      reason: 'by all means',
      correlationId: id,
    });
  });

  it('does everything once, also if the order is repeated', async () => {
    const queue = await makeFailures(1);
    const options = { idempotencyKey: queue.handle.name };
    const orders = [
      await service.waybill.operate('retry', failedIn(queue), options),
      await service.waybill.operate('retry', failedIn(queue), options),
    ];
    expect(orders[1]!.id).toBe(orders[0]!.id);
    await ended(orders[0]!.id);
    const types = (await queue.task('task 0').history()).map(({ type }) => type);
    expect(types.filter((type) => type === 'TaskRetried')).toHaveLength(1);
  });

  it.each([
    ['an empty filter', 'retry', { filter: {} }, {}],
    ['a priority without the command', 'retry', { all: true }, { priority: 1 }],
    ['the command without a priority', 'prioritise', { all: true }, {}],
  ] as const)('is refused with %s', async (_, command, subject, options) => {
    expect(await refusalOf(service.waybill.operate(command, subject, options))).toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it.each([
    ['retry', { filter: { queue: 'no-such-queue' } }, { code: 'QUEUE_NOT_FOUND', status: 404, queue: 'no-such-queue' }],
    ['retry', { filter: { key: 'no such key' } }, { code: 'NO_TASK_MATCHES', status: 422 }],
    ['delete', { tasks: [uuidv7()] }, { code: 'NO_TASK_MATCHES', status: 422 }],
  ] as const)(
    'given %s for %j, which matches nothing, is refused and changes nothing',
    async (command, subject, why) => {
      const before = await service.waybill.tasks.page({ queue: 'waybill.operations' }, { limit: 500 });
      const { problem } = await refusalOf(service.waybill.operate(command, subject));
      expect(problem).toMatchObject(why);
      expect((await service.waybill.tasks.page({ queue: 'waybill.operations' }, { limit: 500 })).items).toHaveLength(
        before.items.length,
      );
    },
  );

  it('given an unknown queue, also refuses the preview', async () => {
    const filter = { queue: 'no-such-queue' };
    const refusal = await refusalOf(service.waybill.operate('retry', { filter }, { preview: true }));
    expect(refusal.code).toBe('QUEUE_NOT_FOUND');
  });

  it('given the same idempotency key with another order, is refused', async () => {
    const queue = await makeFailures(1);
    const options = { idempotencyKey: `${queue.handle.name}-other` };
    await ended((await service.waybill.operate('hold', failedIn(queue), options)).id);
    const other = service.waybill.operate('abort', failedIn(queue), options);
    expect((await refusalOf(other)).code).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await queue.states('task 0')).toEqual(['failed']);
  });

  it('means the tasks that were there when it was ordered, and never itself', async () => {
    const queue = await makeFailures(1);
    await service.waybill.queue('waybill.operations').pause({ reason: 'test' });
    const { id } = await service.waybill.operate(
      'prioritise',
      { filter: { queue: queue.handle.name } },
      { priority: 3 },
    );
    const own = await service.waybill.operate(
      'prioritise',
      { filter: { queue: 'waybill.operations' } },
      { priority: 4 },
    );
    await until(
      'the clock to go on',
      async () => (await queue.get('task 0')).updatedAt < new Date().toISOString() || null,
    );
    await queue.add('later');
    await service.waybill.queue('waybill.operations').resume();
    expect(await ended(id)).toMatchObject({ state: 'succeeded', result: { asked: 1, done: 1 } });
    const { result } = await ended(own.id);
    expect(result).toMatchObject({ asked: own.count });
    expect((await queue.get('later')).priority).toBe(0);
    expect((await service.waybill.task(own.id!).get()).priority).toBe(0);
  });

  it('is cancelled like any task', async () => {
    const queue = await makeFailures(1);
    await service.waybill.queue('waybill.operations').pause({ reason: 'test' });
    const { id } = await service.waybill.operate('retry', failedIn(queue));
    await service.waybill.task(id!).cancel();
    await service.waybill.queue('waybill.operations').resume();
    expect((await ended(id)).state).toBe('cancelled');
    expect(await queue.states('task 0')).toEqual(['failed']);
  });

  it('is refused while the system drains, with the reason of the drain', async () => {
    const queue = await makeFailures(1);
    await service.as('ann').system.drain({ reason: 'version 2 is being deployed' });
    try {
      expect(await refusalOf(service.waybill.operate('retry', failedIn(queue)))).toMatchObject({
        code: 'DRAINING',
        status: 409,
      });
    } finally {
      await service.waybill.system.resume();
    }
    expect(await queue.states('task 0')).toEqual(['failed']);
  });

  it('finds labels with any characters', async () => {
    const queue = await makeConsole(service.waybill);
    const value = `a:b"c'%_\\;{}[]--`;
    await queue.add('odd', [], { labels: { name: value } });
    await queue.add('plain', [], { labels: { name: 'a' } });
    const filter = { label: { name: 'name', value } };
    const { id, count } = await service.waybill.operate('hold', { filter });
    expect(count).toBe(1);
    expect((await ended(id)).result).toMatchObject({ asked: 1, done: 1 });
    expect(await queue.states('odd', 'plain')).toEqual(['held', 'pending']);
  });

  it('given 2,000 failed tasks and a restart meanwhile, retries each of them once', async () => {
    const queue = await makeConsole(service.waybill);
    const names = namesOf(2_000);
    await queue.addAll(Object.fromEntries(names.map((name) => [name, []])));
    for (let taken = await queue.take(); taken.length > 0; taken = await queue.take()) {
      await queue.failAll(taken);
    }
    const { id } = await service.waybill.operate('retry', failedIn(queue));
    await until('the operation to begin', async () => (await service.waybill.task(id!).get()).startedAt);
    await service.restart();
    expect((await ended(id)).result).toMatchObject({ asked: 2_000, done: 2_000, refused: {} });
    let retries = 0;
    for await (const _ of service.waybill.events({ queue: queue.handle.name, type: 'TaskRetried' })) retries++;
    expect(retries).toBe(2_000);
  });
});
