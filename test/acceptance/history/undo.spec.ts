import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkOperationRequest, TaskDetails } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';
import { type ConsoleQueue, makeConsole } from '../s3/console.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Command = Exclude<BulkOperationRequest['command'], 'deleteQueue' | 'runAgain'>;
type Result = { readonly done: number; readonly refused: object; readonly examples: readonly object[] };

const ended = (id: string | null): Promise<TaskDetails> =>
  until(`operation '${id}' to end`, async () => {
    const task = await service.waybill.task(id!).get();
    return task.finishedAt === null ? null : task;
  });

/** Gives the command and waits for its end. Returns the operation's id. */
async function operate(queue: ConsoleQueue, command: Command, names: readonly string[]): Promise<string> {
  const options = { reason: 'a mistake', ...(command === 'prioritise' && { priority: 7 }) };
  const { id } = await service.waybill.operate(command, { tasks: names.map((name) => queue.idOf(name)) }, options);
  await ended(id);
  return id!;
}

async function undo(operation: string): Promise<Result & { readonly id: string }> {
  const { id } = await service.waybill.undo(operation, { reason: 'it was one' });
  const { result } = await ended(id);
  return { ...(result as unknown as Result), id: id! };
}

const NAMES = [
  'pending',
  'later',
  'prepared',
  'held',
  'caught',
  'retried once',
  'failed',
  'final',
  'cancelled',
  'succeeded',
  'aborted',
  'released',
];

/** Tasks in every state in which they do not run, with all that an undo has to bring back. */
async function everyState(): Promise<ConsoleQueue> {
  const queue = await makeConsole(service.waybill);
  const of = { of: queue.handle.name };
  await service.waybill.holds.place(`hold-${queue.handle.name}`, of);
  await queue.add('caught', [], { labels: of });
  for (const name of ['failed', 'final', 'cancelled', 'succeeded', 'retried once']) {
    await queue.add(name, [], { expiresAt: '2999-01-01T00:00:00.000Z' });
    await queue.takeNext();
  }
  await queue.fail('failed');
  await queue.succeed('succeeded');
  await queue.task('final').overrule('fail', 'hopeless');
  await queue.task('retried once').overrule('requeue', 'once more');
  await queue.task('cancelled').overrule('requeue', 'once more');
  await queue.task('cancelled').cancel();
  await queue.add('aborted');
  await queue.task('aborted').abort();
  await queue.add('pending', [], { priority: 3 });
  await queue.add('later', [], { dueAt: '2999-01-01T00:00:00.000Z' });
  await queue.add('prepared', [], { prepared: true });
  await queue.add('held', [], { hold: {} });
  await queue.add('released', [], { hold: {} });
  await queue.task('released').release();
  return queue;
}

/** What an undo brings back. The times of an end and of a failure are its own. */
async function facts(queue: ConsoleQueue): Promise<readonly object[]> {
  return Promise.all(
    NAMES.map(async (name) => {
      const { state, priority, dueAt, expiresAt, attempt, step, lastStep, heldBy, commands } = (await queue.get(
        name,
      )) as TaskDetails & Record<string, unknown>;
      return { name, state, priority, dueAt, expiresAt, attempt, step, lastStep, heldBy, commands };
    }),
  );
}

describe('the undo of an operation', () => {
  it.each(['hold', 'release', 'prioritise', 'retry', 'cancel', 'abort', 'delete'] as const)(
    'H-24 of %s gives each task back what it was, and names those that changed since',
    async (command) => {
      const queue = await everyState();
      const before = await facts(queue);
      const operation = await operate(queue, command, NAMES);
      const changed = await facts(queue);
      const moved = NAMES.filter((_, at) => JSON.stringify(before[at]) !== JSON.stringify(changed[at]));
      expect(moved.length).toBeGreaterThan(0);
      expect(await undo(operation)).toMatchObject({ done: expect.any(Number), refused: {}, examples: [] });
      expect(await facts(queue)).toEqual(before);
    },
  );

  it('H-24 leaves alone what has changed since, and names the event', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ touched: [], other: [] });
    const operation = await operate(queue, 'hold', ['touched', 'other']);
    await queue.task('touched').release();
    await queue.task('touched').prioritise(5);
    const [, , release] = await queue.task('touched').history();
    expect(await undo(operation)).toMatchObject({
      done: 1,
      refused: { CHANGED_SINCE_OPERATION: 1 },
      examples: [
        {
          task: queue.idOf('touched'),
          code: 'CHANGED_SINCE_OPERATION',
          event: 'TaskReleased',
          position: release!.position,
        },
      ],
    });
    expect(await queue.states('touched', 'other')).toEqual(['pending', 'pending']);
  });

  it('H-24 lets a task that ran when it was aborted wait, and its worker is refused', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.add('running');
    await queue.take();
    const operation = await operate(queue, 'abort', ['running']);
    expect(await refusalOf(queue.succeed('running'))).toMatchObject({ code: 'LEASE_LOST' });
    await undo(operation);
    expect(await queue.states('running')).toEqual(['pending']);
    expect(await queue.takeNext()).toBe('running');
  });

  it('H-24 keeps the order in which tasks stood in line', async () => {
    const queue = await makeConsole(service.waybill);
    for (const name of ['first', 'second', 'third']) await queue.add(name);
    await undo(await operate(queue, 'abort', ['second', 'first']));
    expect(await queue.workOff(3)).toEqual(['first', 'second', 'third']);
  });

  it('H-24 leaves a task that had its turn behind those that had none', async () => {
    const queue = await makeConsole(service.waybill);
    for (const name of ['first', 'second', 'third']) await queue.add(name);
    await queue.takeNext();
    await queue.task('first').overrule('requeue', 'once more');
    await undo(await operate(queue, 'abort', ['third', 'first']));
    expect(await queue.workOff(3)).toEqual(['second', 'third', 'first']);
  });

  it('H-26 of a deletion is refused where the reference or the key was taken, and names by whom', async () => {
    const queue = await makeConsole(service.waybill, { uniqueReference: 'open' });
    await queue.add('of a key', [], { key: 'ann' });
    await queue.addAll({ referred: [], free: [] });
    const names = ['of a key', 'referred', 'free'];
    const operation = await operate(queue, 'delete', names);
    const { id: key } = await queue.handle.enqueue(null, { key: 'ann' });
    const { id: reference } = await queue.handle.enqueue(null, { reference: 'referred' });
    expect(await undo(operation)).toMatchObject({
      done: 1,
      refused: { KEY_ALREADY_WAITING: 1, REFERENCE_IN_USE: 1 },
      examples: [
        { task: queue.idOf('of a key'), code: 'KEY_ALREADY_WAITING', conflictingTaskId: key },
        { task: queue.idOf('referred'), code: 'REFERENCE_IN_USE', conflictingTaskId: reference },
      ],
    });
    expect(await queue.states('free')).toEqual(['pending']);
  });

  it('H-27 is an operation with actor and reason, done once, and its undo is the operation again', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ one: [], two: [] });
    const operation = await operate(queue, 'hold', ['one', 'two']);
    const first = await service.waybill.undo(operation, { reason: 'it was one' });
    await ended(first.id);
    const second = await service.waybill.undo(operation, { reason: 'again' });
    expect(second).toEqual({ ...first, position: second.position });
    expect(await service.waybill.operation(first.id!)).toMatchObject({
      command: 'undo',
      reason: 'it was one',
      by: expect.any(String),
      result: { asked: 2, done: 2 },
    });
    expect(await queue.states('one', 'two')).toEqual(['pending', 'pending']);
    const redo = await undo(first.id!);
    expect(await service.waybill.operation(redo.id)).toMatchObject({ command: 'hold', result: { asked: 2, done: 2 } });
    expect(await queue.states('one', 'two')).toEqual(['held', 'held']);
    await undo(redo.id);
    expect(await queue.states('one', 'two')).toEqual(['pending', 'pending']);
  });
});

describe('two first undos at once', () => {
  it('are one operation', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ one: [], two: [] });
    for (let round = 0; round < 5; round++) {
      const operation = await operate(queue, 'prioritise', ['one', 'two']);
      const asked = await Promise.all(Array.from({ length: 6 }, () => service.waybill.undo(operation, {})));
      const ids = new Set(asked.map(({ id, count }) => `${id} ${count}`));
      expect([...ids]).toEqual([`${asked[0]!.id} 2`]);
      expect((await ended(asked[0]!.id)).result).toMatchObject({ asked: 2, done: 2 });
    }
  });
});

describe('an operation that was stopped', () => {
  it('is refused while it is under way or paused, and is undone as far as it came', async () => {
    const queue = await makeConsole(service.waybill);
    const names = Array.from({ length: 120 }, (_, at) => `task ${at}`);
    await queue.addAll(Object.fromEntries(names.map((name) => [name, []])));
    const tasks = names.map((name) => queue.idOf(name));
    const { id } = await service.waybill.operate('hold', { tasks }, { perSecond: 1 });
    await queue.become('held', names[0]!);
    expect(await refusalOf(service.waybill.undo(id!))).toMatchObject({ code: 'OPERATION_UNDER_WAY' });
    expect(await refusalOf(service.waybill.undo(id!, { preview: true }))).toMatchObject({
      code: 'OPERATION_UNDER_WAY',
    });
    await service.waybill.task(id!).hold();
    await until('it to pause', async () => ((await service.waybill.task(id!).get()).state === 'held' ? true : null));
    expect(await refusalOf(service.waybill.undo(id!))).toMatchObject({ code: 'OPERATION_UNDER_WAY' });
    await service.waybill.task(id!).abort();
    const states = await queue.states(...names);
    const held = states.filter((state) => state === 'held').length;
    expect(held).toBeGreaterThan(0);
    expect(await undo(id!)).toMatchObject({ refused: {}, examples: [] });
    expect(await queue.states(...names)).toEqual(names.map(() => 'pending'));
  });
});

describe('what cannot be undone', () => {
  it('is an operation under way, one that makes tasks, and what is none', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ one: [], two: [] });
    await queue.take();
    await queue.succeed('one');
    const slow = await service.waybill.operate('hold', { tasks: [queue.idOf('two')] }, {});
    await ended(slow.id);
    const again = await service.waybill.operate('runAgain', { tasks: [queue.idOf('one')] }, { reason: 'once more' });
    await ended(again.id);
    expect(await refusalOf(service.waybill.undo(again.id!))).toMatchObject({ code: 'OPERATION_NOT_UNDOABLE' });
    expect(await refusalOf(service.waybill.undo(queue.idOf('one')))).toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('a batch that is over gets no task back', async () => {
    const queue = await makeConsole(service.waybill);
    const batch = await service.waybill.createBatch({ name: 'over' });
    await queue.add('member', [], { batch: batch.id } as never);
    await batch.open(1);
    const operation = await operate(queue, 'abort', ['member']);
    await until('the batch to end', async () => ((await batch.get()).state === 'running' ? null : true));
    expect(await undo(operation)).toMatchObject({ done: 0, refused: { BATCH_ENDED: 1 } });
  });
});

describe('the preview of an undo', () => {
  it('agrees with it, and changes nothing', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ one: [], two: [] });
    const operation = await operate(queue, 'cancel', ['one', 'two']);
    await queue.task('two').retry();
    const { id, count, preview } = await service.waybill.undo(operation, { preview: true });
    expect([id, count]).toEqual([null, 2]);
    expect(preview).toMatchObject({
      decided: 2,
      done: 1,
      moves: [{ from: 'cancelled', to: 'pending', count: 1 }],
      refused: { CHANGED_SINCE_OPERATION: 1 },
    });
    expect(await queue.states('one', 'two')).toEqual(['cancelled', 'pending']);
  });
});
