import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EventView, OperationView, TaskDetails, Worker } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { type ConsoleQueue, makeConsole } from '../s3/console.js';

const TASKS = 12;
const NAMES = Array.from({ length: TASKS }, (_, n) => `task ${n}`);
const CANARY = { first: 5, goOnIf: 0.8 };
const PATIENCE_MS = 60_000;
/** Tasks a second. */
const RATE = 3;
/** By so much the first command may be late. At twice the rate the last one would come 1.5 s after the first, where 2 s are asked. */
const SLACK_MS = 1_000;

let service: RunningService;
let worker: Worker | null = null;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
afterEach(async () => {
  await worker?.stop();
  worker = null;
});

/** A queue of failed tasks. */
async function makeFailures(): Promise<ConsoleQueue> {
  const queue = await makeConsole(service.waybill);
  await queue.addAll(Object.fromEntries(NAMES.map((name) => [name, []])));
  await queue.take();
  for (const name of NAMES) await queue.fail(name);
  return queue;
}

/** Whatever is given out succeeds, but for the first few. */
async function work({ handle }: ConsoleQueue, failing: number): Promise<void> {
  let left = failing;
  worker = service.waybill.worker({ name: 'w', concurrency: 1, logger: null }).handle(handle.name, () => {
    if (left-- > 0) throw new Error('still broken');
  });
  await worker.start();
}

const seen = (id: string | null, what: string, is: (task: TaskDetails) => boolean): Promise<TaskDetails> =>
  until(
    `operation '${id}' to be ${what}`,
    async () => {
      const task = await service.waybill.task(id!).get();
      return is(task) ? task : null;
    },
    PATIENCE_MS,
  );
const ended = (id: string | null): Promise<TaskDetails> => seen(id, 'ended', ({ finishedAt }) => finishedAt !== null);
const failedIn = ({ handle }: ConsoleQueue) => ({ filter: { queue: handle.name, state: 'failed' } }) as const;

async function allOf(operations: AsyncIterable<OperationView>): Promise<readonly OperationView[]> {
  const all: OperationView[] = [];
  for await (const one of operations) all.push(one);
  return all;
}

/** The times that the operation gave each of its tasks the command. */
async function retriesOf(queue: ConsoleQueue, id: string | null): Promise<readonly number[]> {
  const histories = await Promise.all(NAMES.map((name) => queue.task(name).history()));
  const isRetry = ({ type, envelope }: Pick<EventView, 'type' | 'envelope'>): boolean =>
    type === 'TaskRetried' && envelope.correlationId === id;
  return histories.map((history) => history.filter(isRetry).length);
}

describe('a retry as an experiment', () => {
  it('tries five, and goes on with the others once enough of them have succeeded', async () => {
    const queue = await makeFailures();
    await work(queue, 1);
    const { id } = await service.waybill.operate('retry', failedIn(queue), { canary: CANARY });
    const { state, data, result } = await ended(id);
    expect({ state, result }).toEqual({
      state: 'succeeded',
      result: { asked: TASKS, done: TASKS, refused: {}, examples: [] },
    });
    expect(data).toMatchObject({ canary: { goesOn: true, failed: 1 } });
    expect(await retriesOf(queue, id)).toEqual(NAMES.map(() => 1));
  });

  it('tries five, and stops and says why if too few of them succeed', async () => {
    const queue = await makeFailures();
    await work(queue, 2);
    const { id } = await service.waybill.operate('retry', failedIn(queue), { canary: CANARY });
    const { state, error, data } = await ended(id);
    expect({ state, data }).toMatchObject({ state: 'failed', data: { canary: { goesOn: false, failed: 2 } } });
    expect(error).toMatchObject({
      class: 'business',
      message: expect.stringContaining('Expected a share of at least 0.8 of the first 5 tasks to succeed'),
      details: { asked: 5, done: 5 },
    });
    const retries = await retriesOf(queue, id);
    expect(retries.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
    const untouched = NAMES.filter((_, at) => retries[at] === 0);
    expect(new Set(await queue.states(...untouched))).toEqual(new Set(['failed']));
  });

  it('stops if too few of them have ended in time', async () => {
    const queue = await makeFailures();
    const { id } = await service.waybill.operate('retry', failedIn(queue), { canary: { ...CANARY, withinMs: 1_000 } });
    const { state, error, data } = await ended(id);
    expect({ state, data }).toMatchObject({ state: 'failed', data: { canary: { goesOn: false, open: 5 } } });
    expect(error!.message).toContain('and 5 are open (the operation waits 1 s)');
  });
});

describe('an operation under way', () => {
  const begun = (id: string | null) => seen(id, 'under way', ({ progress }) => (progress[0]?.position ?? 0) >= 2);

  it('can be paused and resumed by somebody with a reason, and gives each task the command once', async () => {
    const queue = await makeFailures();
    const { id } = await service.waybill.operate('retry', failedIn(queue), { perSecond: 3 });
    await begun(id);
    const asked = service.as('ann').task(id!);
    await asked.hold({ reason: 'look first' });
    await seen(id, 'held', ({ state }) => state === 'held');
    const before = (await retriesOf(queue, id)).filter((times) => times === 1).length;
    expect(before).toBeLessThan(TASKS);
    await asked.release({ reason: 'it looks good' });
    expect(await ended(id)).toMatchObject({ state: 'succeeded', result: { asked: TASKS, done: TASKS, refused: {} } });
    expect(await retriesOf(queue, id)).toEqual(NAMES.map(() => 1));
    const said = (await service.waybill.task(id!).history()).filter(({ envelope }) => envelope.actor === 'ann');
    expect(said.map(({ type, envelope }) => [type, envelope.reason])).toEqual([
      ['TaskCancelRequested', 'look first'],
      ['TaskReleased', 'it looks good'],
    ]);
  });

  it('gives the command to no more tasks a second than its rate says', async () => {
    const queue = await makeFailures();
    const { id } = await service.waybill.operate('retry', failedIn(queue), { perSecond: RATE });
    expect(await ended(id)).toMatchObject({ state: 'succeeded', result: { asked: TASKS, done: TASKS } });
    const times: number[] = [];
    for await (const { type, recordedAt } of service.waybill.events({ queue: queue.handle.name }))
      if (type === 'TaskRetried') times.push(Date.parse(recordedAt));
    expect(times).toHaveLength(TASKS);
    // What is given together has one time: the first tasks take none, and every second after it has as many as the rate.
    const [first, last] = [times[0]!, times.at(-1)!];
    expect(last - first).toBeGreaterThanOrEqual((TASKS / RATE - 1) * 1_000 - SLACK_MS);
  });

  it('can be aborted by somebody with a reason, and gives nothing more', async () => {
    const queue = await makeFailures();
    const { id } = await service.waybill.operate('retry', failedIn(queue), { perSecond: 3 });
    await begun(id);
    await service.as('ann').task(id!).abort({ reason: 'the wrong queue' });
    const given = await until('the steward to have nothing to do', async () => {
      const { items } = await service.waybill.tasks.page({ queue: queue.handle.name, state: 'pending' });
      const { state } = await service.waybill.task(id!).get();
      return state === 'aborted' ? items.length : null;
    });
    expect(given).toBeLessThan(TASKS);
    const next = await service.waybill.operate('prioritise', failedIn(queue), { priority: 3 });
    await ended(next.id);
    const retried = (await retriesOf(queue, id)).filter((times) => times === 1).length;
    expect(retried).toBeLessThan(TASKS);
  });
});

describe('the list of operations', () => {
  it('has each with its actor, reason and result, and tells what became of its tasks since', async () => {
    const queue = await makeFailures();
    const ann = service.as('ann of the list');
    const { id } = await ann.operate('retry', failedIn(queue), { reason: 'mended' });
    await ended(id);
    expect(await ann.operation(id!)).toMatchObject({
      command: 'retry',
      by: 'ann of the list',
      reason: 'mended',
      state: 'succeeded',
      expected: TASKS,
      result: { asked: TASKS, done: TASKS },
      became: { succeeded: 0, failed: 0, open: TASKS, ended: 0, groups: [] },
    });
    await work(queue, 3);
    await until('the tasks to end', async () => (await ann.operation(id!)).became!.open === 0 || null);
    const became = await until('the failures to be in groups', async () => {
      const now = (await ann.operation(id!)).became!;
      return now.groups.reduce((sum, { failed }) => sum + failed, 0) === 3 ? now : null;
    });
    const all = [];
    for await (const group of service.waybill.failures.list({ queue: queue.handle.name })) all.push(group);
    const group = all.find(({ message }) => message === 'still broken');
    const groups = [{ group: group!.id, failed: 3 }];
    expect(became).toEqual({ succeeded: TASKS - 3, failed: 3, open: 0, ended: 0, groups });
    const listed = await allOf(ann.operations({ limit: 1 }));
    expect(listed[0]!.id).toBe(id);
    expect(listed.map(({ id: one }) => one)).toEqual(
      listed
        .map(({ id: one }) => one)
        .toSorted()
        .toReversed(),
    );
    expect(listed.some(({ state, result }) => state === 'aborted' && (result as { done: number }).done > 0)).toBe(true);
  });

  it.each([
    ['actor', { actor: 'ann of the list' }, ({ by }: OperationView) => by === 'ann of the list'],
    ['command', { command: 'prioritise' }, ({ command }: OperationView) => command === 'prioritise'],
    ['state', { state: 'failed' }, ({ state }: OperationView) => state === 'failed'],
    ['time', { until: '2020-01-01T00:00:00Z' }, () => false],
  ] as const)('is filtered by %s', async (_, filter, is) => {
    const all = await allOf(service.waybill.operations());
    const some = await allOf(service.waybill.operations(filter));
    expect(some).toEqual(all.filter(is));
    expect(some.length < all.length).toBe(true);
  });

  it('has no operation for the id of another task', async () => {
    const queue = await makeConsole(service.waybill);
    const id = await queue.add('plain');
    await expect(service.waybill.operation(id)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});

describe('an order that says what it does not mean', () => {
  const tasks = ['019a7f3e-0000-7000-8000-000000000000'];
  it.each([
    ['hold', { canary: CANARY }, '/canary'],
    ['retry', { canary: { first: 0, goOnIf: 0.8 } }, '/canary/first'],
    ['retry', { canary: { first: 101, goOnIf: 0.8 } }, '/canary/first'],
    ['retry', { canary: { first: 5, goOnIf: 1.1 } }, '/canary/goOnIf'],
    ['retry', { canary: { ...CANARY, withinMs: 999 } }, '/canary/withinMs'],
    ['retry', { perSecond: 0 }, '/perSecond'],
    ['retry', { perSecond: 0.5 }, '/perSecond'],
    ['deleteQueue', { perSecond: 5 }, '/perSecond'],
    ['deleteQueue', { canary: CANARY }, '/canary'],
  ] as const)('is refused and changes nothing: %s %j', async (command, options, pointer) => {
    const selection = command === 'deleteQueue' ? { filter: { queue: 'mail' } } : { tasks };
    await expect(service.waybill.operate(command, selection, options)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      problem: { errors: [{ pointer }] },
    });
  });
});
