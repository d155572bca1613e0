import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  BulkOperationRequest,
  ClaimedTask,
  QueueHandle,
  SettleVerdict,
  TaskDetails,
  TaskFilter,
} from '@waybill/client';
import { WaybillError } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const WHY = { reason: 'the supplier is gone' };

/** The result of a command for all tasks that match, once the operation is over. */
async function operate(command: BulkOperationRequest['command'], filter: TaskFilter): Promise<unknown> {
  const { id } = await service.waybill.operate(command, { filter }, WHY);
  return until('the operation to be over', async () => {
    const task = await service.waybill.task(id!).get();
    return task.state === 'succeeded' ? task.result : null;
  });
}

/** A queue with an item in every state. */
async function fullQueue(name: string): Promise<QueueHandle> {
  const queue = service.waybill.queue(name);
  await queue.define({ onFailure: 'fail' });
  for (const verdict of [{ type: 'succeed' }, { type: 'fail', error: { message: 'no' } }] as const) {
    await queue.enqueue();
    const [claimed] = await queue.claim({ worker: 'robot-1', max: 1, waitMs: 30_000 });
    await service.waybill.settle([{ taskId: claimed!.taskId, token: claimed!.token, verdict }]);
  }
  await queue.enqueue();
  await queue.enqueue();
  return queue;
}

describe('the deletion of a queue with its items', () => {
  it('S4-21 by single commands is refused while items are open, and takes them all once its intake is closed', async () => {
    const queue = await fullQueue('leaving');
    expect(await refusalOf(queue.delete())).toMatchObject({ status: 409, code: 'QUEUE_NOT_EMPTY' });
    await queue.closeIntake(WHY);
    expect(await refusalOf(queue.enqueue())).toMatchObject({ code: 'INTAKE_CLOSED' });
    expect(await operate('delete', { queue: queue.name })).toMatchObject({ asked: 4, done: 4, refused: {} });
    await queue.delete(WHY);
    expect(await refusalOf(queue.get())).toMatchObject({ status: 404, code: 'QUEUE_NOT_FOUND' });
  });

  it('S4-21 by single commands leaves an item IN_PROGRESS to its robot, is refused until that has ended, and then goes on', async () => {
    const queue = await fullQueue('working');
    const [running] = await queue.claim({ worker: 'robot-1', max: 1 });
    await queue.closeIntake(WHY);
    const refused = { ILLEGAL_TRANSITION: 1 };
    expect(await operate('delete', { queue: queue.name })).toMatchObject({ asked: 4, done: 3, refused });
    expect(await refusalOf(queue.delete(WHY))).toMatchObject({ code: 'QUEUE_NOT_EMPTY' });
    const { taskId, token } = running!;
    expect(await operate('cancel', { queue: queue.name, state: 'running' })).toMatchObject({ done: 1 });
    await service.waybill.settle([{ taskId, token, verdict: { type: 'confirmCancel' } }]);
    expect((await service.waybill.task(taskId).get()).state).toBe('cancelled');
    await operate('delete', { queue: queue.name });
    await queue.delete(WHY);
    expect(await refusalOf(queue.get())).toMatchObject({ code: 'QUEUE_NOT_FOUND' });
    expect((await service.waybill.task(taskId).get()).state).toBe('deleted');
  });
});

const ended = (id: string | null): Promise<TaskDetails> =>
  until('the deletion to end', async () => {
    const task = await service.waybill.task(id!).get();
    return task.finishedAt === null ? null : task;
  });

const isGone = async (queue: QueueHandle): Promise<boolean> =>
  queue.get().then(
    () => false,
    (error: unknown) => error instanceof WaybillError && error.code === 'QUEUE_NOT_FOUND',
  );

async function claimIn(queue: QueueHandle) {
  const [claimed] = await queue.claim({ worker: 'robot-1', max: 1, waitMs: 30_000 });
  return claimed!;
}

const settle = ({ taskId, token }: ClaimedTask, verdict: SettleVerdict) =>
  service.waybill.settle([{ taskId, token, verdict }]);

/** Of the queue's tasks, by their ids. */
async function statesIn(queue: QueueHandle): Promise<Record<string, string>> {
  const { items } = await service.waybill.tasks.page({ queue: queue.name });
  return Object.fromEntries(items.map(({ id, state }) => [id, state]));
}

describe('the deletion of a queue with its items, as one operation', () => {
  it('S4-21 closes the intake, deletes all items and the queue, and is told to whoever reads their histories', async () => {
    const queue = await fullQueue('one-operation');
    const ann = service.as('ann').queue(queue.name);
    expect(await ann.deleteWithTasks({ preview: true })).toEqual({ count: 4, running: 0, id: null, position: null });
    expect(await queue.get()).toMatchObject({ state: 'active', intake: { open: true } });
    const { id, count } = await ann.deleteWithTasks(WHY);
    expect(count).toBe(4);
    expect(await ended(id)).toMatchObject({
      state: 'succeeded',
      queue: 'waybill.queue-deletions',
      kind: 'deleteQueue',
      result: { asked: 4, done: 4, refused: {}, examples: [] },
    });
    expect(await isGone(queue)).toBe(true);
    const states = await statesIn(queue);
    expect(Object.values(states)).toEqual(Array(4).fill('deleted'));
    const caused = [];
    for await (const event of service.waybill.events({ queue: queue.name }))
      if (event.envelope.correlationId === id) caused.push(event);
    expect(caused.map(({ type }) => type)).toEqual([
      'QueueIntakeClosed',
      'QueuePaused',
      ...Array<string>(4).fill('TaskDeleted'),
      'QueueDeleted',
    ]);
    expect(new Set(caused.map(({ envelope }) => `${envelope.actor}: ${envelope.reason}`))).toEqual(
      new Set([`ann: ${WHY.reason}`]),
    );
  });

  it('S4-21 waits for an item IN_PROGRESS until its robot is done, and gives out no other', async () => {
    const queue = await fullQueue('awaited');
    const claimed = await claimIn(queue);
    const { id, running } = await queue.deleteWithTasks(WHY);
    expect(running).toBe(1);
    await until('the other items to be deleted', async () => {
      const states = Object.values(await statesIn(queue));
      return states.filter((state) => state === 'deleted').length === 3 ? states : null;
    });
    const bars = await until('the deletion to wait', async () => {
      const { progress } = await service.waybill.task(id!).get();
      return progress.some(({ title }) => title === 'running tasks that have ended') ? progress : null;
    });
    expect(bars).toEqual(expect.arrayContaining([expect.objectContaining({ end: 1, position: 0 })]));
    expect(await queue.get()).toMatchObject({ state: 'paused', intake: { open: false, ...WHY } });
    expect(await refusalOf(queue.enqueue())).toMatchObject({ code: 'INTAKE_CLOSED' });
    await settle(claimed, { type: 'succeed', result: 1 });
    expect((await ended(id)).result).toMatchObject({ asked: 4, done: 4, refused: {} });
    expect(await isGone(queue)).toBe(true);
    expect(await service.waybill.task(claimed.taskId).get()).toMatchObject({ state: 'deleted', result: 1 });
  });

  it('S4-21 asks the robots to stop if it is told so, also in a queue that offers no cancellation', async () => {
    const queue = service.waybill.queue('stopped');
    await queue.define({}, { preset: 'rpa-items' });
    await queue.enqueue();
    const claimed = await claimIn(queue);
    const { id } = await queue.deleteWithTasks({ running: 'cancel', ...WHY });
    await until('the robot to be asked', async () => {
      const [beat] = await service.waybill.extend([{ taskId: claimed.taskId, token: claimed.token }]);
      return beat && 'cancelRequested' in beat && beat.cancelRequested ? beat : null;
    });
    await settle(claimed, { type: 'confirmCancel' });
    expect((await ended(id)).state).toBe('succeeded');
    expect(await isGone(queue)).toBe(true);
  });

  it('S4-21 deletes items that wait for each other, and those that its policy offers no deletion for', async () => {
    const queue = service.waybill.queue('chained');
    await queue.define({ commands: ['EnqueueTask'] });
    const first = await queue.enqueue();
    const second = await queue.enqueue(null, { after: [{ task: first.id }] });
    await queue.enqueue(null, { after: [{ task: second.id }] });
    const { id } = await queue.deleteWithTasks();
    expect((await ended(id)).result).toMatchObject({ done: 3, refused: {} });
    expect(await isGone(queue)).toBe(true);
  });

  it('S4-21 takes archived items as well, and is refused if an item of another queue waits for one', async () => {
    const queue = service.waybill.queue('with-archive');
    await queue.define({ onFailure: 'fail' });
    const { id: needed } = await queue.enqueue();
    await settle(await claimIn(queue), { type: 'fail', error: { message: 'no' } });
    await queue.changePolicy({ retention: { failed: 0 } }, { ifVersion: 1 });
    await until('the item to be archived', async () => (await service.waybill.task(needed).get()).archivedAt);
    const other = service.waybill.queue('needing-archived');
    await other.define();
    const needing = await other.enqueue(null, { after: [{ task: needed }] });
    expect(await refusalOf(queue.deleteWithTasks())).toMatchObject({ code: 'TASK_AWAITED' });
    await service.waybill.task(needing.id).abort();
    const { id, count } = await queue.deleteWithTasks();
    expect(count).toBe(1);
    expect((await ended(id)).result).toMatchObject({ done: 1, refused: {} });
    expect((await service.waybill.task(needed).get()).state).toBe('deleted');
    expect(await isGone(queue)).toBe(true);
  });

  it.each([
    ['an unknown queue', 'nowhere', 'QUEUE_NOT_FOUND'],
    ["a queue of the service's own", 'waybill.operations', 'QUEUE_RESERVED'],
    ['a queue that another one waits for', 'before', 'QUEUE_AWAITED'],
    ['a queue with an item that one of another queue waits for', 'needed', 'TASK_AWAITED'],
  ])('S4-21 of %s is refused, also in a preview, and changes nothing', async (_, name, code) => {
    const queue = service.waybill.queue(name);
    if (name === 'before' || name === 'needed') await queue.define();
    if (name === 'before') await service.waybill.queue('after').define({ waitsFor: [name] });
    if (name === 'needed') {
      await service.waybill.queue('needing').define();
      await service.waybill.queue('needing').enqueue(null, { after: [{ task: (await queue.enqueue()).id }] });
    }
    expect(await refusalOf(queue.deleteWithTasks({ preview: true }))).toMatchObject({ code });
    expect(await refusalOf(queue.deleteWithTasks())).toMatchObject({ code });
    if (name === 'before' || name === 'needed') expect((await queue.get()).intake.open).toBe(true);
  });

  it('S4-21 fails if an item cannot be deleted, says why, and goes on when its task is retried', async () => {
    const queue = service.waybill.queue('needed-later');
    await queue.define();
    const [needed] = [await queue.enqueue(), await queue.enqueue()];
    const claimed = await claimIn(queue);
    const { id } = await queue.deleteWithTasks();
    await until('the deletion to wait', async () => {
      const { progress } = await service.waybill.task(id!).get();
      return progress.some(({ title }) => title === 'running tasks that have ended') ? true : null;
    });
    const other = service.waybill.queue('needing-later');
    await other.define();
    const needing = await other.enqueue(null, { after: [{ task: needed!.id }] });
    await settle(claimed, { type: 'fail', error: { message: 'no' } });
    const failed = await ended(id);
    expect(failed).toMatchObject({
      state: 'failed',
      error: { class: 'business', details: { done: 1, refused: { TASK_AWAITED: 1 } } },
    });
    expect(failed.error!.message).toContain("queue 'needed-later' with its tasks, but it refuses: TASK_AWAITED");
    await service.waybill.task(needing.id).abort();
    await service.waybill.task(id!).retry();
    const over = await until('the deletion to succeed', async () => {
      const task = await service.waybill.task(id!).get();
      return task.state === 'succeeded' ? task : null;
    });
    expect(over.result).toMatchObject({ done: 2, refused: {} });
    expect(await isGone(queue)).toBe(true);
  });

  it('S4-21 stops when its task is cancelled, and what is left stays', async () => {
    const queue = await fullQueue('kept');
    const claimed = await claimIn(queue);
    const { id } = await queue.deleteWithTasks();
    await until('the deletion to wait', async () => {
      const { progress } = await service.waybill.task(id!).get();
      return progress.some(({ title }) => title === 'running tasks that have ended') ? true : null;
    });
    await service.waybill.task(id!).cancel();
    expect((await ended(id)).state).toBe('cancelled');
    await settle(claimed, { type: 'succeed' });
    expect((await service.waybill.task(claimed.taskId).get()).state).toBe('succeeded');
    expect(await isGone(queue)).toBe(false);
  });

  it('S4-21 needs the filter to name a queue and nothing else', async () => {
    const { waybill } = service;
    const some = { filter: { queue: 'orders', state: 'failed' } } as const;
    for (const asked of [some, { all: true } as const, { tasks: ['01900000-0000-7000-8000-000000000000'] }])
      expect(await refusalOf(waybill.operate('deleteQueue', asked))).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await refusalOf(waybill.operate('retry', some, { running: 'cancel' }))).toMatchObject({
      errors: [{ pointer: '/running', detail: expect.any(String) }],
    });
  });
});
