import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueHandle } from '@waybill/client';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const MINUTE_MS = 60_000;
let made = 0;

async function make() {
  const queue = service.waybill.queue(`waiting-${++made}`);
  await queue.define();
  return queue;
}

/** Makes everything that happened to the queue's tasks a quarter of an hour older. */
async function age(queue: QueueHandle): Promise<void> {
  const quarter = `- interval '15 minutes'`;
  await service.pool.query(
    `with aged as (update tasks set enqueued_at = enqueued_at ${quarter}, waiting_since = waiting_since ${quarter} where queue = $1)
     update ready set since = since ${quarter} where queue = $1`,
    [queue.name],
  );
}

async function failOne(queue: QueueHandle) {
  const [claimedTask] = await queue.claim({ worker: 'w1' });
  const { taskId, token } = claimedTask!;
  await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error: { message: 'no space left' } } }]);
  return taskId;
}

const oldestWaitingMs = async (queue: QueueHandle): Promise<number | null> => (await queue.stats()).oldestWaitingMs;

describe('the longest wait of a queue', () => {
  it('counts from the retry of a failed task, not from its enqueue', async () => {
    const queue = await make();
    await queue.enqueue();
    const id = await failOne(queue);
    await age(queue);
    await service.waybill.task(id).retry();
    expect(await oldestWaitingMs(queue)).toBeLessThan(MINUTE_MS);
    await age(queue);
    expect(await oldestWaitingMs(queue)).toBeGreaterThan(14 * MINUTE_MS);
  });

  it('counts from the release of a held task', async () => {
    const queue = await make();
    const { id } = await queue.enqueue();
    await service.waybill.task(id).hold();
    await age(queue);
    expect(await oldestWaitingMs(queue)).toBeNull();
    await service.waybill.task(id).release();
    expect(await oldestWaitingMs(queue)).toBeLessThan(MINUTE_MS);
  });

  it('continues while the priority changes', async () => {
    const queue = await make();
    const { id } = await queue.enqueue();
    await age(queue);
    await service.waybill.task(id).prioritise(7);
    expect(await oldestWaitingMs(queue)).toBeGreaterThan(14 * MINUTE_MS);
  });

  it('is that of a new task behind one that returned', async () => {
    const queue = await make();
    await queue.enqueue();
    await queue.enqueue({}, { priority: 3 });
    await queue.enqueue();
    const id = await failOne(queue);
    await age(queue);
    await service.waybill.task(id).retry();
    expect(await oldestWaitingMs(queue)).toBeGreaterThan(14 * MINUTE_MS);
  });

  it('does not count the time before a task is due', async () => {
    const queue = await make();
    const { id } = await queue.enqueue({}, { dueAt: new Date(Date.now() + 5 * MINUTE_MS) });
    await age(queue);
    expect(await oldestWaitingMs(queue)).toBeNull();
    await service.waybill.task(id).reschedule(null);
    expect(await oldestWaitingMs(queue)).toBeLessThan(MINUTE_MS);
    const [claimedTask] = await queue.claim({ worker: 'w1' });
    const claimed = (await service.waybill.task(claimedTask!.taskId).history()).at(-1)!;
    expect(claimed).toMatchObject({ type: 'TaskClaimed' });
    expect((claimed.data as { waitedMs: number }).waitedMs).toBeLessThan(MINUTE_MS);
  });
});

describe('the waiting time in a claim', () => {
  it('counts from the time at which the task began to wait, whatever was changed meanwhile', async () => {
    const queue = await make();
    const { id } = await queue.enqueue();
    const enqueued = (await service.waybill.task(id).history())[0]!;
    await service.waybill.task(id).prioritise(7);
    await service.waybill.task(id).amend({ to: 'ann' });
    await queue.claim({ worker: 'w1' });
    const history = await service.waybill.task(id).history();
    const [amended, claimed] = history.slice(-2);
    const { waitedMs, claimedAt } = claimed!.data as { waitedMs: number; claimedAt: string };
    expect(waitedMs).toBe(Math.max(0, Date.parse(claimedAt) - Date.parse(enqueued.recordedAt)));
    expect(amended!.type).toBe('TaskPayloadAmended');
  });
});
