import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, ExtendedLease, QueueHandle, SettleVerdict } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(): Promise<QueueHandle> {
  const queue = service.waybill.queue(`console-${++made}`);
  await queue.define();
  return queue;
}

async function claimOne(queue: QueueHandle): Promise<ClaimedTask> {
  const [claimedTask] = await queue.claim({ worker: 'w1' });
  return claimedTask!;
}

async function running(queue: QueueHandle): Promise<ClaimedTask> {
  await queue.enqueue();
  return claimOne(queue);
}

const bar = (title: string, position: number, end = 120) => ({ title, start: 0, end, position });

describe('the times of an entry', () => {
  const failed = { type: 'fail', error: { message: 'm', class: 'bug' } } as const;
  const settle = ({ taskId, token }: ClaimedTask, verdict: SettleVerdict) =>
    service.waybill.settle([{ taskId, token, verdict }]);

  /** The times at which events of a type were recorded. */
  const recorded = async (id: string, type: string): Promise<string[]> =>
    (await service.waybill.task(id).history()).flatMap((event) => (event.type === type ? [event.recordedAt] : []));

  it('S3-31 are those of its last run, which both change with each run', async () => {
    const queue = await newQueue();
    const first = await running(queue);
    const task = service.waybill.task(first.taskId);
    const firstStart = (await task.get()).startedAt;
    expect([firstStart === null, (await task.get()).endedAt]).toEqual([false, null]);
    await settle(first, failed);
    const [firstEnd] = await recorded(first.taskId, 'TaskFailed');
    expect(await task.get()).toMatchObject({ startedAt: firstStart, endedAt: firstEnd });
    await task.retry();
    const second = await claimOne(queue);
    const again = await task.get();
    expect(again).toMatchObject({ state: 'running', endedAt: firstEnd });
    expect(Date.parse(again.startedAt!)).toBeGreaterThanOrEqual(Date.parse(firstEnd!));
    await settle(second, { type: 'return' });
    const [returned] = await recorded(first.taskId, 'TaskReturned');
    expect(await task.get()).toMatchObject({ state: 'pending', startedAt: again.startedAt, endedAt: returned });
  });

  it('S3-29 has the time of its last change, whatever changed', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const task = service.waybill.task(id);
    expect(await task.get()).toMatchObject({ updatedAt: (await task.get()).enqueuedAt, endedAt: null });
    await task.prioritise(7);
    const [changed] = await recorded(id, 'TaskReprioritised');
    expect(await task.get()).toMatchObject({ updatedAt: changed, endedAt: null, startedAt: null });
  });
});

describe('the progress of an entry', () => {
  const report = ({ taskId, token }: ClaimedTask, ...progress: ReturnType<typeof bar>[]) =>
    service.waybill.extend([{ taskId, token, progress }]);

  it('S3-32 has any number of records, in the task and as a percentage in lists', async () => {
    const queue = await newQueue();
    const claimedTask = await running(queue);
    const { taskId, leaseMs } = claimedTask;
    const [answer] = await report(claimedTask, bar('assets', 120), bar('links', 30), bar('checksums', 0));
    const { progress, percent, lastHeartbeatAt } = await service.waybill.task(taskId).get();
    expect(progress).toEqual([
      { ...bar('assets', 120), attempt: 1 },
      { ...bar('links', 30), attempt: 1 },
      { ...bar('checksums', 0), attempt: 1 },
    ]);
    const [listed] = await service.waybill.tasks.page({ queue: queue.name }).then(({ items }) => items);
    expect([percent, listed!.percent, listed!.lastHeartbeatAt]).toEqual([41, 41, lastHeartbeatAt]);
    expect(answer).toMatchObject({ kind: 'extended' });
    expect(Date.parse(lastHeartbeatAt!) + leaseMs).toBe(Date.parse((answer as ExtendedLease).deadline));
  });

  it('S3-32 is kept over a restart of the service, and after the run', async () => {
    const queue = await newQueue();
    const claimedTask = await running(queue);
    await report(claimedTask, bar('links', 70));
    const restarted = await service.addInstance();
    const task = restarted.task(claimedTask.taskId);
    expect((await task.get()).progress).toEqual([{ ...bar('links', 70), attempt: 1 }]);
    const verdict = { type: 'fail', error: { message: 'tape broke', class: 'bug' } } as const;
    await restarted.settle([{ taskId: claimedTask.taskId, token: claimedTask.token, verdict }]);
    expect(await task.get()).toMatchObject({ state: 'failed', percent: 58, lastHeartbeatAt: null });
  });

  it('S3-32 begins anew with the next run, which no earlier worker can change', async () => {
    const queue = await newQueue();
    const first = await running(queue);
    await report(first, bar('links', 70), bar('checksums', 3));
    const failed = { type: 'fail', error: { message: 'm', class: 'bug' } } as const;
    await service.waybill.settle([{ taskId: first.taskId, token: first.token, verdict: failed }]);
    const task = service.waybill.task(first.taskId);
    await task.retry();
    const second = await claimOne(queue);
    expect((await task.get()).percent).toBeNull();
    await report(second, bar('links', 12));
    expect(await report(first, bar('links', 99))).toMatchObject([{ kind: 'lost' }]);
    expect((await task.get()).progress).toEqual([{ ...bar('links', 12), attempt: 2 }]);
  });
});
