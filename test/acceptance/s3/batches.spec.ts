import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BatchFailed, type BatchHandle } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';
import { type ConsoleQueue, makeConsole } from './console.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A batch whose tasks are those of the console's queue. */
interface Batch {
  readonly queue: ConsoleQueue;
  readonly batch: BatchHandle;
  add(graph: Readonly<Record<string, readonly string[]>>, more?: object): Promise<void>;
  becomes(state: string): Promise<void>;
}

async function makeBatch(name = 'CAN ingest 4711', policy = {}): Promise<Batch> {
  const queue = await makeConsole(service.waybill, policy);
  const batch = await service.waybill.planBatch({ name }).create();
  return {
    queue,
    batch,
    add: (graph, more = {}) => queue.addAll(graph, { batch: batch.id, ...more }),
    becomes: async (state) => {
      await until(`the batch to be ${state}`, async () => ((await batch.get()).state === state ? true : null));
    },
  };
}

const succeedAll = async (queue: ConsoleQueue): Promise<void> => queue.succeed(...(await queue.take()));

describe('a batch', () => {
  it('S3-13 given a set that is being built, none of its tasks runs before it is opened, and then all may', async () => {
    const { queue, batch, add } = await makeBatch();
    await add({ a: [], b: [], c: ['a'] });
    expect(await queue.take()).toEqual([]);
    expect(await batch.get()).toMatchObject({ state: 'planning', total: 3, open: 3 });
    expect((await queue.get('a')).batch).toBe(batch.id);
    await batch.open(3);
    expect((await queue.take()).sort()).toEqual(['a', 'b']);
    expect(await batch.get()).toMatchObject({ state: 'running' });
  });

  it('S3-13 given fewer tasks than expected, nothing is opened', async () => {
    const { queue, batch, add } = await makeBatch();
    await add({ a: [], b: [] });
    expect(await refusalOf(batch.open(3))).toMatchObject({
      code: 'BATCH_INCOMPLETE',
      status: 409,
      data: { expected: 3, actual: 2 },
    });
    expect(await queue.take()).toEqual([]);
    await add({ c: [] });
    await batch.open(3);
    await batch.open(3);
    expect(await queue.take()).toHaveLength(3);
  });

  it('S3-17 given a batch, its graph has its tasks in levels with their states, and names the cause', async () => {
    const { queue, batch, add } = await makeBatch();
    await add({ 1: [], 2: ['1'], 3: ['1'], 4: ['2', '3'] });
    await batch.open(4);
    await succeedAll(queue);
    await queue.take();
    await queue.fail('2');
    const { nodes, edges, cause, total, folded } = await batch.graph();
    const node = (name: string) => nodes.find(({ id }) => id === queue.idOf(name))!;
    expect(nodes.map(({ title, level, state, blocked }) => [title, level, state, blocked]).sort()).toEqual([
      ['1', 0, 'succeeded', false],
      ['2', 1, 'failed', false],
      ['3', 1, 'running', false],
      ['4', 2, 'pending', true],
    ]);
    expect(edges).toHaveLength(4);
    expect(edges).toContainEqual({ from: node('1').id, to: node('2').id, ignore: false, closed: true });
    expect(edges).toContainEqual({ from: node('2').id, to: node('4').id, ignore: false, closed: false });
    expect(cause).toEqual([node('4').id, node('2').id]);
    expect({ total, folded }).toEqual({ total: 4, folded: false });
    const ofTask = await queue.task('4').graph();
    expect(ofTask.nodes.map(({ id }) => id).sort()).toEqual(nodes.map(({ id }) => id).sort());
  });

  it('S3-17 given a queue, its tasks are listed with what they wait for', async () => {
    const { queue, batch, add } = await makeBatch();
    await add({ a: [], b: ['a'] });
    await batch.open(2);
    const { items } = await service.waybill.tasks.page({ batch: batch.id });
    expect(items.map(({ reference, waitingFor }) => [reference, waitingFor]).sort()).toEqual([
      ['a', 'worker'],
      ['b', 'prerequisites'],
    ]);
    expect((await service.waybill.tasks.page({ queue: queue.handle.name })).items).toHaveLength(2);
  });

  it('S3-27 given a failed task, it can be aborted, and with it the larger operation', async () => {
    const { queue, batch, add, becomes } = await makeBatch();
    await add({ a: [], b: [], c: ['b'], d: [] });
    await batch.open(4);
    await queue.take();
    await queue.succeed('a');
    await queue.fail('b');
    await batch.abort({ reason: 'the tape is wrong' });
    await becomes('aborted');
    await queue.become('aborted', 'b', 'c', 'd');
    expect(await queue.states('a')).toEqual(['succeeded']);
    expect((await queue.task('c').history()).at(-1)!.envelope).toMatchObject({ reason: 'the tape is wrong' });
    expect(await refusalOf(queue.add('late', [], { batch: batch.id }))).toMatchObject({
      code: 'BATCH_ENDED',
      data: { state: 'aborted' },
    });
  });

  it('S3-27 given tasks in any state, its abort reaches all that have not succeeded', async () => {
    const { queue, batch, add, becomes } = await makeBatch();
    const deciding = await makeConsole(service.waybill, { onFailure: 'decide' });
    await add({ done: [], failed: [], cancelled: [], held: [], running: [], late: [], blocked: ['held'] });
    await deciding.add('undecided', [], { batch: batch.id });
    await queue.task('cancelled').cancel();
    await queue.task('held').hold();
    await queue.task('late').reschedule('2999-01-01T00:00:00Z');
    await batch.open(8);
    expect((await queue.take()).sort()).toEqual(['done', 'failed', 'running']);
    await queue.succeed('done');
    await queue.fail('failed');
    await deciding.take();
    await deciding.fail('undecided');
    const names = ['done', 'failed', 'cancelled', 'held', 'running', 'late', 'blocked'] as const;
    const states = ['succeeded', 'failed', 'cancelled', 'held', 'running', 'pending', 'pending'];
    expect([...(await queue.states(...names)), ...(await deciding.states('undecided'))]).toEqual([
      ...states,
      'undecided',
    ]);
    await batch.abort();
    await becomes('aborted');
    await queue.become('aborted', ...names.slice(1));
    await deciding.become('aborted', 'undecided');
    expect(await queue.states('done')).toEqual(['succeeded']);
    expect(await batch.get()).toMatchObject({ total: 8, open: 0, succeeded: 1, aborted: 7 });
  });

  it('is completed when all its tasks have succeeded, and counts them', async () => {
    const { queue, batch, add } = await makeBatch();
    await add({ a: [], b: ['a'] });
    await batch.open(2);
    await queue.workOff(2);
    expect(await batch.done()).toMatchObject({ state: 'completed', total: 2, open: 0, succeeded: 2, failed: 0 });
  });

  it('is completed without any task when it is opened without any, and frees what waits for it', async () => {
    const { queue, batch } = await makeBatch();
    await queue.add('next', [], { after: [{ batch: batch.id }] });
    expect(await refusalOf(batch.open(1))).toMatchObject({ code: 'BATCH_INCOMPLETE', data: { actual: 0 } });
    await batch.open(0);
    expect(await batch.done()).toMatchObject({ state: 'completed', total: 0 });
    expect(await queue.workOff(1)).toEqual(['next']);
    expect(await refusalOf(queue.add('late', [], { batch: batch.id }))).toMatchObject({ code: 'BATCH_ENDED' });
  });

  it('fails when all have ended and one failed, and is completed once that is repaired', async () => {
    const { queue, batch, add, becomes } = await makeBatch();
    await add({ a: [], b: [] });
    await batch.open(2);
    await queue.take();
    await queue.succeed('a');
    await queue.fail('b');
    const error: unknown = await batch.done().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BatchFailed);
    expect(error).toMatchObject({ batch: { state: 'failed', succeeded: 1, failed: 1 } });
    await queue.task('b').retry();
    await queue.workOff(1);
    await becomes('completed');
  });

  it('grows while it runs, and not afterwards', async () => {
    const { queue, batch, add, becomes } = await makeBatch();
    await add({ a: [] });
    await batch.open(1);
    await queue.take();
    await add({ b: ['a'] });
    await queue.succeed('a');
    await queue.workOff(1);
    await becomes('completed');
    expect(await refusalOf(queue.add('c', [], { batch: batch.id }))).toMatchObject({ code: 'BATCH_ENDED' });
  });

  it('frees what waits for it in the commit that completes it', async () => {
    const { queue, batch, add } = await makeBatch();
    await add({ a: [] });
    await queue.add('next', [], { after: [{ batch: batch.id }] });
    await batch.open(1);
    expect(await queue.workOff(2)).toEqual(['a', 'next']);
  });

  it('refuses a task that waits for what waits for the batch', async () => {
    const { queue, batch, add } = await makeBatch();
    await add({ a: [] });
    await queue.add('next', [], { after: [{ batch: batch.id }] });
    expect(await refusalOf(add({ b: ['next'] }))).toMatchObject({ code: 'PREREQUISITE_CYCLE' });
  });

  it('S3-43 given a task that plans a batch, it can wait neither for the batch nor for what waits for it or is in it', async () => {
    const queue = await makeConsole(service.waybill);
    const batch = await service.waybill.createBatch({ name: 'planned', plan: { queue: queue.handle.name } });
    const planner = service.waybill.task((await batch.get()).planner!);
    await queue.add('member', [], { batch: batch.id });
    await queue.add('next', [], { after: [{ batch: batch.id }] });
    await queue.add('last', ['next']);
    const refused = async (need: { task: string } | { batch: string }) =>
      (await refusalOf(planner.arrange({ add: [need] }))).problem;
    expect(await refused({ task: queue.idOf('last') })).toMatchObject({
      code: 'PREREQUISITE_CYCLE',
      cycle: [planner.id, queue.idOf('last'), queue.idOf('next'), batch.id],
    });
    expect(await refused({ batch: batch.id })).toMatchObject({ cycle: [planner.id, batch.id] });
    expect(await refused({ task: queue.idOf('member') })).toMatchObject({ cycle: [planner.id, queue.idOf('member')] });
    await queue.add('before');
    await planner.arrange({ add: [{ task: queue.idOf('before') }] });
    const other = queue.task('before').arrange({ add: [{ task: queue.idOf('last') }] });
    expect(await refusalOf(other)).toMatchObject({ code: 'PREREQUISITE_CYCLE' });
  });

  it('is deleted with its tasks, also running ones, unless others wait for them', async () => {
    const { queue, batch, add, becomes } = await makeBatch();
    await add({ a: [], b: ['a'], c: [] });
    await batch.open(3);
    await queue.take();
    await queue.succeed('c');
    await queue.add('other', ['b']);
    expect(await refusalOf(batch.delete())).toMatchObject({
      code: 'BATCH_AWAITED',
      data: { awaitedBy: queue.idOf('other') },
    });
    await queue.task('other').arrange({ waive: [queue.idOf('b')] });
    await batch.delete({ reason: 'not needed' });
    await becomes('deleted');
    await queue.become('deleted', 'a', 'b');
    expect(await queue.states('c')).toEqual(['succeeded']);
  });

  it('never takes another task for its own', async () => {
    const { queue, batch, add } = await makeBatch('keys', { duplicatePending: 'return-existing' });
    await queue.add('outside', [], { key: 'file' });
    expect(await refusalOf(add({ a: [] }, { key: 'file' }))).toMatchObject({ code: 'KEY_ALREADY_WAITING' });
    expect(await batch.get()).toMatchObject({ total: 0 });
  });

  it('is refused under an unknown id, and another batch under the same one', async () => {
    const queue = await makeConsole(service.waybill);
    const unknown = uuidv7();
    expect(await refusalOf(queue.add('a', [], { batch: unknown }))).toMatchObject({ code: 'BATCH_NOT_FOUND' });
    expect(await refusalOf(service.waybill.batch(unknown).get())).toMatchObject({
      code: 'BATCH_NOT_FOUND',
      status: 404,
    });
    await service.waybill.planBatch({ id: unknown, name: 'one' }).create();
    await service.waybill.planBatch({ id: unknown, name: 'one' }).create();
    expect(await refusalOf(service.waybill.planBatch({ id: unknown, name: 'other' }).create())).toMatchObject({
      code: 'BATCH_EXISTS',
    });
  });

  it('given a planner that begins again, meets its own tasks', async () => {
    const { handle } = await makeConsole(service.waybill);
    const plan = (id: string) => {
      const planned = service.waybill.planBatch({ id, name: 'planned' });
      const first = planned.add(handle.name, { n: 1 });
      planned.add(handle.name, { n: 2 }, { after: [first] });
      return planned;
    };
    const id = uuidv7();
    expect(plan(id).graph()).toMatchObject([{ after: [] }, { after: [0] }]);
    const batch = await plan(id).submit();
    await plan(id).submit();
    expect(await batch.get()).toMatchObject({ total: 2, state: 'running' });
    for (const n of [1, 2]) {
      const [claimed] = await handle.claim({ worker: 'w1', waitMs: 30_000 });
      expect(claimed!.payload).toEqual({ n });
      await service.waybill.settle([
        { taskId: claimed!.taskId, token: claimed!.token, verdict: { type: 'succeed', result: null } },
      ]);
    }
    await batch.done();
    await plan(id).submit();
    expect(await batch.get()).toMatchObject({ total: 2, state: 'completed' });
  });

  it('given 3,000 tasks, opens all of them, and gives them out in the order of the log', async () => {
    const { queue, batch, add } = await makeBatch();
    const names = Array.from({ length: 3_000 }, (_, at) => `n${at}`);
    await add(Object.fromEntries(names.map((name) => [name, []])));
    await batch.open(3_000);
    const taken: string[] = [];
    await until('all tasks to be taken', async () => {
      taken.push(...(await queue.take()));
      return taken.length === names.length ? true : null;
    });
    expect(taken).toEqual(await queue.inOrder());
    await queue.succeedAll(taken.slice(0, 500));
    expect(await batch.get()).toMatchObject({ total: 3_000, open: 2_500, succeeded: 500 });
  });
});
