import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkOperationRequest, StartedBulkOperation, TaskDetails } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';
import { type ConsoleQueue, makeConsole } from '../s3/console.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

type Command = Exclude<BulkOperationRequest['command'], 'deleteQueue'>;

const ended = (id: string | null): Promise<TaskDetails> =>
  until(`operation '${id}' to end`, async () => {
    const task = await service.waybill.task(id!).get();
    return task.finishedAt === null ? null : task;
  });

/** Tasks in every state, some of which the index refuses to change: by their key, a hold, and what waits for them. */
async function everyState(): Promise<ConsoleQueue> {
  const queue = await makeConsole(service.waybill);
  await service.waybill.holds.place(`hold-${queue.handle.name}`, { of: queue.handle.name });
  await queue.add('caught', [], { labels: { of: queue.handle.name } });
  await queue.addAll({ failed: [], final: [], cancelled: [], succeeded: [], running: [], aborted: [] });
  await queue.add('failed of a key', [], { key: 'ann' });
  await queue.take();
  await queue.add('failed of the same key', [], { key: 'ann' });
  await queue.fail('failed of a key');
  await queue.takeNext();
  await queue.fail('failed of the same key');
  await queue.fail('failed');
  await queue.succeed('succeeded');
  await queue.task('final').overrule('fail', 'hopeless');
  await queue.task('cancelled').cancel();
  await queue.task('aborted').abort();
  await queue.add('pending');
  await queue.add('prepared', [], { prepared: true });
  await queue.add('held', [], { hold: {} });
  await queue.add('awaited', [], { priority: 3 });
  await queue.add('waiting', ['awaited']);
  return queue;
}

const NAMES = [
  'failed',
  'final',
  'cancelled',
  'succeeded',
  'running',
  'aborted',
  'failed of a key',
  'failed of the same key',
  'pending',
  'prepared',
  'held',
  'awaited',
  'waiting',
  'caught',
];

const operate = (queue: ConsoleQueue, command: Command, options = {}): Promise<StartedBulkOperation> =>
  service.waybill.operate(
    command,
    { tasks: NAMES.map((name) => queue.idOf(name)) },
    { ...(command === 'prioritise' && { priority: 7 }), ...options },
  );

describe('a preview of a command for many tasks', () => {
  it.each(['retry', 'cancel', 'hold', 'release', 'prioritise', 'delete', 'abort'] as const)(
    'H-22 of %s, and the operation given next, agree task by task',
    async (command) => {
      const queue = await everyState();
      const { preview, id } = await operate(queue, command, { preview: 'decided' });
      expect([id, preview!.decided, preview!.examples.length]).toEqual([null, NAMES.length, NAMES.length]);
      const before = await queue.states(...NAMES);
      const operation = await operate(queue, command, { asPreviewed: preview!.position });
      const { result } = (await ended(operation.id)) as { readonly result: unknown };
      const refused = preview!.examples.flatMap(({ task, code }) => (code === undefined ? [] : [{ task, code }]));
      expect(result).toEqual({
        asked: NAMES.length,
        done: preview!.done,
        refused: preview!.refused,
        examples: refused,
      });
      const foreseen = preview!.examples.map(({ from, to, code }, at) =>
        code === undefined ? [from, to] : [before[at], before[at]],
      );
      const after = command === 'abort' ? null : await queue.states(...NAMES);
      expect(foreseen.map(([from]) => from)).toEqual(before);
      if (after) expect(foreseen.map(([, to]) => to)).toEqual(after);
    },
  );

  it('H-22 counts what an abort takes along and lets go, and how often triggers fire', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ first: [], second: ['first'], third: ['second'] });
    await queue.handle.enqueue(null, { after: [{ task: queue.idOf('third'), ignore: true }] });
    const mails = await makeConsole(service.waybill);
    await service.waybill
      .trigger(`on-abort-of-${queue.handle.name}`)
      .define({ event: { types: ['TaskAborted'], queue: queue.handle.name }, task: { queue: mails.handle.name } });
    const { preview } = await service.waybill.operate(
      'abort',
      { tasks: [queue.idOf('first')] },
      { preview: 'decided' },
    );
    expect(preview).toMatchObject({
      decided: 1,
      done: 1,
      moves: [{ from: 'pending', to: 'aborted', count: 1 }],
      refused: {},
      takenAlong: 2,
      unblocked: 1,
      triggers: { [`on-abort-of-${queue.handle.name}`]: 1 },
    });
    expect(await queue.states('first', 'second', 'third')).toEqual(['pending', 'pending', 'pending']);
  });

  it('H-23 leaves tasks alone that changed since, and counts them', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.addAll({ a: [], b: [], c: [] });
    const which = { filter: { queue: queue.handle.name } } as const;
    const { preview } = await service.waybill.operate('cancel', which, { preview: 'decided' });
    await queue.task('b').prioritise(9);
    await queue.add('d');
    const { id } = await service.waybill.operate('cancel', which, { asPreviewed: preview!.position });
    expect((await ended(id)).result).toMatchObject({
      asked: 4,
      done: 2,
      refused: { CHANGED_SINCE_PREVIEW: 2 },
      examples: [
        { task: queue.idOf('b'), code: 'CHANGED_SINCE_PREVIEW' },
        { task: queue.idOf('d'), code: 'CHANGED_SINCE_PREVIEW' },
      ],
    });
    expect(await queue.states('a', 'b', 'c', 'd')).toEqual(['cancelled', 'pending', 'cancelled', 'pending']);
  });

  it('H-23 is refused with a position that no preview can have named', async () => {
    const queue = await makeConsole(service.waybill);
    await queue.add('a');
    const which = { filter: { queue: queue.handle.name } } as const;
    for (const asPreviewed of ['999999999999999', 'x'])
      expect(await refusalOf(service.waybill.operate('cancel', which, { asPreviewed }))).toMatchObject({
        code: 'INVALID_INPUT',
        status: 400,
      });
    expect(await queue.states('a')).toEqual(['pending']);
  });
});
