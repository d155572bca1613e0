import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startService, type RunningService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

const WORKER = { worker: 'w1' } as const;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
  await service.waybill.queue('letters').define({ retry: { maxAttempts: 1 } });
});
afterAll(() => service.stop());

const letters = () => service.waybill.queue('letters');

async function ended(how: 'succeed' | 'fail', more: object = {}): Promise<string> {
  const { id } = await letters().enqueue({ to: 'ann' }, more);
  await settleNext(how);
  return id;
}

async function settleNext(how: 'succeed' | 'fail'): Promise<string> {
  const [task] = await letters().claim(WORKER);
  const { taskId, token } = task!;
  const error = { message: 'no paper', class: 'business' } as const;
  const verdict = how === 'succeed' ? ({ type: 'succeed' } as const) : ({ type: 'fail', error } as const);
  await service.waybill.settle([{ taskId, token, verdict }]);
  return taskId;
}

describe('an ended task', () => {
  it('runs again, also if it succeeded, as a new task that names it, and keeps its record', async () => {
    const first = await ended('succeed', { labels: { customer: 'a' }, reference: 'r-1', priority: 3 });
    const before = await service.waybill.task(first).history();
    const { id } = await service.as('bob').task(first).runAgain('blank pages');
    expect(id).not.toBe(first);
    const second = await service.waybill.task(id).get();
    expect(second).toMatchObject({ queue: 'letters', state: 'pending', reference: 'r-1', priority: 3, rerunOf: first });
    expect(second).toMatchObject({ payload: { to: 'ann' }, labels: { customer: 'a' } });
    const [made] = await service.waybill.task(id).history();
    expect(made!.envelope).toMatchObject({ actor: 'bob', reason: 'blank pages' });
    expect(await settleNext('succeed')).toBe(id);
    expect(await service.waybill.task(first).history()).toEqual(before);
  });

  it('runs again with another payload, in another queue', async () => {
    await service.waybill.queue('mail').define();
    const first = await ended('succeed');
    const { id } = await service.waybill.task(first).runAgain('no printer', { payload: { to: 'bob' }, queue: 'mail' });
    expect(await service.waybill.task(id).get()).toMatchObject({ queue: 'mail', payload: { to: 'bob' } });
  });

  it('is superseded by the success of its second run if it has failed', async () => {
    const first = await ended('fail');
    const { id } = await service.waybill.task(first).runAgain('there is paper');
    expect(await settleNext('succeed')).toBe(id);
    await service.eventAfter('0', { task: first, type: 'TaskSuperseded' });
  });

  it('runs again once for each Idempotency-Key, also if it could not by now', async () => {
    const first = await ended('fail');
    const again = () => service.waybill.task(first).runAgain('blank', { idempotencyKey: 'again-1' });
    const { id } = await again();
    await service.waybill.task(first).retry();
    expect((await again()).id).toBe(id);
    const other = service.waybill.task(first).runAgain('other', { idempotencyKey: 'again-1' });
    expect((await refusalOf(other)).code).toBe('IDEMPOTENCY_KEY_REUSED');
    await settleNext('succeed');
    await settleNext('succeed');
  });

  it('is refused while it is open, without a reason, in a queue that does not exist, and while its key has a task', async () => {
    const { id } = await letters().enqueue({});
    expect(await refusalOf(service.waybill.task(id).runAgain('why not'))).toMatchObject({
      code: 'TASK_NOT_ENDED',
      status: 409,
    });
    await settleNext('succeed');
    expect((await refusalOf(service.waybill.task(id).runAgain(''))).code).toBe('INVALID_INPUT');
    const nowhere = service.waybill.task(id).runAgain('move', { queue: 'nowhere' });
    expect((await refusalOf(nowhere)).code).toBe('QUEUE_NOT_FOUND');
    const keyed = await ended('succeed', { key: 'k' });
    const { id: waiting } = await letters().enqueue({}, { key: 'k' });
    const refusal = await refusalOf(service.waybill.task(keyed).runAgain('again'));
    expect(refusal).toMatchObject({ code: 'KEY_ALREADY_WAITING', data: { conflictingTaskId: waiting } });
  });
});

describe('ended tasks that match a filter', () => {
  it('run again once each, in the name of whoever ordered it, and the others are counted', async () => {
    const queue = service.waybill.queue('shelves');
    await queue.define();
    const firsts = [(await queue.enqueue({})).id, (await queue.enqueue({})).id];
    for (const first of firsts) await service.waybill.task(first).abort();
    const { id: open } = await queue.enqueue({});
    const filter = { queue: 'shelves' };
    const noReason = service.waybill.operate('runAgain', { filter });
    expect((await refusalOf(noReason)).code).toBe('INVALID_INPUT');
    const { id } = await service.as('bob').operate('runAgain', { filter }, { reason: 'all blank' });
    const operation = await until('the operation to end', async () => {
      const task = await service.waybill.task(id!).get();
      return task.finishedAt === null ? null : task;
    });
    expect(operation.result).toMatchObject({ asked: 3, done: 2, refused: { TASK_NOT_ENDED: 1 } });
    const { items } = await service.waybill.tasks.page({ ...filter, state: 'pending' });
    const made = items.filter((task) => task.id !== open);
    const originals = await Promise.all(made.map(async (task) => (await service.waybill.task(task.id).get()).rerunOf));
    expect(originals.sort()).toEqual([...firsts].sort());
    const [submitted] = await service.waybill.task(made[0]!.id).history();
    expect(submitted!.envelope).toMatchObject({ actor: 'bob', reason: 'all blank', correlationId: id });
  });

  const againOf = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
    const operation = await until('the operation to end', async () => {
      const task = await service.waybill.task(id).get();
      return task.finishedAt === null ? null : task;
    });
    return operation.result as Readonly<Record<string, unknown>>;
  };

  it('run again with another payload, in another queue', async () => {
    for (const name of ['faxes', 'papers']) await service.waybill.queue(name).define();
    const { id: first } = await service.waybill.queue('faxes').enqueue({ to: 'ann' });
    await service.waybill.task(first).abort();
    const again = { payload: { to: 'bob' }, queue: 'papers' };
    const options = { reason: 'no fax any more', again };
    const { id } = await service.waybill.operate('runAgain', { filter: { queue: 'faxes' } }, options);
    expect(await againOf(id!)).toMatchObject({ asked: 1, done: 1 });
    const { items } = await service.waybill.tasks.page({ queue: 'papers' });
    const made = await Promise.all(items.map((task) => service.waybill.task(task.id).get()));
    expect(made).toEqual([expect.objectContaining({ rerunOf: first, payload: { to: 'bob' }, state: 'pending' })]);
  });

  it('run again from a step, with the data recorded so far, and those without it are counted', async () => {
    const queue = service.waybill.queue('parcels');
    await queue.define({ steps: ['pack', 'send'] });
    const { id: first } = await queue.enqueue({});
    const [claimed] = await queue.claim(WORKER);
    const packed = { type: 'completeStep', step: 'pack', then: 'offer', data: { box: 7 } } as const;
    await service.waybill.settle([{ taskId: first, token: claimed!.token, verdict: packed }]);
    await service.waybill.task(first).abort();
    const { id: plain } = await letters().enqueue({});
    await service.waybill.task(plain).abort();
    const selection = { tasks: [first, plain] };
    const options = { reason: 'the lorry was stolen', again: { fromStep: 'send' } };
    const { id } = await service.waybill.operate('runAgain', selection, options);
    expect(await againOf(id!)).toMatchObject({ asked: 2, done: 1, refused: { STEP_UNKNOWN: 1 } });
    const [second] = await queue.claim(WORKER);
    expect(second).toMatchObject({ step: 'send', data: { box: 7 } });
    expect((await service.waybill.task(second!.taskId).get()).rerunOf).toBe(first);
  });

  it('are refused a queue that does not exist, and what the command does not take', async () => {
    const [reason, tasks] = ['r', ['019a7f3e-0000-7000-8000-000000000000']];
    const order = (command: 'runAgain' | 'retry' | 'deleteQueue', again: object) =>
      refusalOf(
        service.waybill.operate(command, command === 'deleteQueue' ? { filter: { queue: 'letters' } } : { tasks }, {
          reason,
          again,
        }),
      );
    expect(await order('runAgain', { queue: 'nowhere' })).toMatchObject({ code: 'QUEUE_NOT_FOUND' });
    for (const command of ['retry', 'deleteQueue'] as const)
      expect(await order(command, {})).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await order('runAgain', { step: 'pack' })).toMatchObject({ code: 'INVALID_INPUT' });
  });
});
