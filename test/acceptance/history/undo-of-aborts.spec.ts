import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TaskDetails } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { type ConsoleQueue, makeConsole } from '../s3/console.js';

/** More than two pages of an operation. */
const MANY = 1_100;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const ended = (id: string | null): Promise<TaskDetails> =>
  until(`operation '${id}' to end`, async () => {
    const task = await service.waybill.task(id!).get();
    return task.finishedAt === null ? null : task;
  });

/** Aborts the tasks by one operation, and waits for what it takes along. Returns its id. */
async function abort(queue: ConsoleQueue, own: readonly string[], along: readonly string[]): Promise<string> {
  const { id } = await service.waybill.operate('abort', { tasks: own.map((name) => queue.idOf(name)) }, {});
  await ended(id);
  await queue.become('aborted', ...along);
  return id!;
}

async function undo(operation: string): Promise<object> {
  const { id } = await service.waybill.undo(operation, { reason: 'it was a mistake' });
  const { result } = await ended(id);
  return result as object;
}

/** The names of the restored tasks, in the order of the log. */
async function restored(queue: ConsoleQueue): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { stream } of service.waybill.events({ queue: queue.handle.name, type: 'TaskRestored' }))
    names.push(queue.nameOf(stream.slice('task-'.length)));
  return names;
}

/** Whatever waits for another one of the graph comes after it. */
function expectInOrder(names: readonly string[], graph: Readonly<Record<string, readonly string[]>>): void {
  for (const [name, needs] of Object.entries(graph))
    for (const need of needs.filter((one) => names.includes(one) && names.includes(name)))
      expect(names.indexOf(name)).toBeGreaterThan(names.indexOf(need));
}

const GRAPH = {
  read: [],
  split: ['read'],
  left: ['split'],
  right: ['split'],
  join: ['left', 'right', 'read'],
  print: ['join'],
};
const NAMES = Object.keys(GRAPH);

describe('the undo of an abort', () => {
  it('H-25 restores what it took along, prerequisites first, and its preview says so', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll(GRAPH);
    await queue.add('bystander', ['read'], { after: [{ task: queue.idOf('read'), ignore: true }] } as never);
    const operation = await abort(queue, ['read'], NAMES);
    const { preview } = await service.waybill.undo(operation, { preview: true });
    expect(preview).toMatchObject({
      decided: NAMES.length,
      done: NAMES.length,
      takenAlong: NAMES.length - 1,
      refused: {},
      moves: [{ from: 'aborted', to: 'pending', count: NAMES.length }],
    });
    const named = preview!.examples.map(({ task }) => queue.nameOf(task!));
    expect([...named].sort()).toEqual([...NAMES].sort());
    expectInOrder(named, GRAPH);
    expect(await queue.states(...NAMES)).toEqual(NAMES.map(() => 'aborted'));

    expect(await undo(operation)).toEqual({ asked: NAMES.length, done: NAMES.length, refused: {}, examples: [] });
    expect(await queue.states(...NAMES, 'bystander')).toEqual([...NAMES, 'bystander'].map(() => 'pending'));
    const order = await restored(queue);
    expect(order.length).toBe(NAMES.length);
    expectInOrder(order, GRAPH);
    const worked = await queue.workOff(NAMES.length + 1);
    expectInOrder(worked, GRAPH);
  });

  it('H-25 restores its own tasks in this order, too, whatever the order of the operation', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ first: [], second: ['first'], third: ['second'], last: ['third'] });
    const names = ['first', 'second', 'third', 'last'];
    const operation = await abort(queue, ['third', 'second', 'first'], names);
    expect(await undo(operation)).toEqual({ asked: 4, done: 4, refused: {}, examples: [] });
    expect(await restored(queue)).toEqual(names);
    expect(await queue.workOff(4)).toEqual(names);
  });

  it('H-25 leaves with a task that stays aborted what waits for it, and names those of its own', async () => {
    const queue = await makeConsole(service.waybill, { uniqueReference: 'open' });
    await queue.addAll({ taken: [], waiting: ['taken'], own: ['taken'], free: [], mixed: ['free', 'waiting'] });
    const names = ['taken', 'waiting', 'own', 'free', 'mixed'];
    const operation = await abort(queue, ['own', 'taken', 'free'], names);
    const { id: conflictingTaskId } = await queue.handle.enqueue(null, { reference: 'taken' });
    const examples = [
      { task: queue.idOf('taken'), code: 'REFERENCE_IN_USE', conflictingTaskId },
      { task: queue.idOf('own'), code: 'PREREQUISITE_DEAD', prerequisite: queue.idOf('taken') },
    ];
    const { preview } = await service.waybill.undo(operation, { preview: true });
    expect(preview).toMatchObject({ done: 1, refused: { REFERENCE_IN_USE: 1, PREREQUISITE_DEAD: 3 } });
    expect(await undo(operation)).toEqual({
      asked: 3,
      done: 1,
      refused: { REFERENCE_IN_USE: 1, PREREQUISITE_DEAD: 1 },
      examples,
    });
    expect(await queue.states(...names)).toEqual(['aborted', 'aborted', 'aborted', 'pending', 'aborted']);
  });

  it('H-25 leaves alone what another abort ended', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ root: [], before: ['root'], along: ['root'] });
    await queue.task('before').abort();
    const operation = await abort(queue, ['root'], ['root', 'along']);
    const { preview } = await service.waybill.undo(operation, { preview: true });
    expect(preview).toMatchObject({ decided: 2, done: 2, takenAlong: 1 });
    expect(await undo(operation)).toEqual({ asked: 2, done: 2, refused: {}, examples: [] });
    expect(await queue.states('root', 'before', 'along')).toEqual(['pending', 'aborted', 'pending']);
  });

  it(`H-25 goes through ${MANY} tasks that wait for one, page by page, and its undo gives the abort again`, async () => {
    const queue = await makeConsole(service.waybill);
    const names = Array.from({ length: MANY }, (_, at) => `leaf ${at}`);
    await queue.addAll({ root: [] });
    for (let at = 0; at < MANY; at += 500)
      await queue.addAll(Object.fromEntries(names.slice(at, at + 500).map((name) => [name, ['root']])));
    const all = { queue: queue.handle.name };
    const { id } = await service.waybill.operate('abort', { tasks: [queue.idOf('root')] }, {});
    await ended(id);
    const inState = async (state: 'aborted' | 'pending') =>
      (await service.waybill.operate('hold', { filter: { ...all, state } }, { preview: true })).count;
    await until('all to be aborted', async () => ((await inState('aborted')) === MANY + 1 ? true : null));
    const { id: undoing } = await service.waybill.undo(id!, {});
    expect((await ended(undoing)).result).toEqual({ asked: MANY + 1, done: MANY + 1, refused: {}, examples: [] });
    expect(await inState('pending')).toBe(MANY + 1);
    const { id: redo } = await service.waybill.undo(undoing!, {});
    expect((await ended(redo)).result).toMatchObject({ done: MANY + 1, refused: {} });
    expect(await inState('aborted')).toBe(MANY + 1);
  });
});
