import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BulkOperationRequest, QueueHandle, TaskFilter } from '@waybill/client';
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
  it('S4-21 is refused while items are open, and takes them all once its intake is closed', async () => {
    const queue = await fullQueue('leaving');
    expect(await refusalOf(queue.delete())).toMatchObject({ status: 409, code: 'QUEUE_NOT_EMPTY' });
    await queue.closeIntake(WHY);
    expect(await refusalOf(queue.enqueue())).toMatchObject({ code: 'INTAKE_CLOSED' });
    expect(await operate('delete', { queue: queue.name })).toMatchObject({ asked: 4, done: 4, refused: {} });
    await queue.delete(WHY);
    expect(await refusalOf(queue.get())).toMatchObject({ status: 404, code: 'QUEUE_NOT_FOUND' });
  });

  it('S4-21 leaves an item IN_PROGRESS to its robot, is refused until that has ended, and then goes on', async () => {
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
