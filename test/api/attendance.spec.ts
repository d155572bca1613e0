import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueHandle, QueueStats, WorkerView } from '@waybill/client';
import { explained } from '@waybill/client/words';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;

async function make(): Promise<QueueHandle> {
  const queue = service.waybill.queue(`attended-${++made}`);
  await queue.define();
  return queue;
}

/** Makes the workers' last requests older by two minutes. */
const passTwoMinutes = () => service.pool.query(`update worker_presence set seen_at = seen_at - interval '2 minutes'`);

async function worker(name: string): Promise<WorkerView | undefined> {
  for await (const one of service.waybill.workers()) if (one.name === name) return one;
  return undefined;
}

/** Resolves when it is stored that a worker asked, and no claim waits any more. */
const polled = (queue: QueueHandle): Promise<QueueStats> =>
  until('that somebody asked is known', async () => {
    const stats = await queue.stats();
    return stats.lastPolledAt === null ? null : stats;
  });

const unattended = async (queue: QueueHandle): Promise<boolean> => (await queue.stats()).unattended;

const metric = async (queue: QueueHandle): Promise<string | undefined> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return new RegExp(`^waybill_queue_unattended\\{queue="${queue.name}"\\} (\\d)$`, 'm').exec(text)?.[1];
};

describe('a queue with waiting tasks', () => {
  it('is unattended if no worker has asked for them: in its statistics, in metrics, and in why', async () => {
    const queue = await make();
    expect(await unattended(queue)).toBe(false);
    const { id } = await queue.enqueue();
    expect(await queue.stats()).toMatchObject({ unattended: true, lastPolledAt: null });
    expect(await metric(queue)).toBe('1');
    const explanation = await service.waybill.task(id).why();
    expect(explanation.reasons).toEqual([{ because: 'worker', unattended: true, lastPolledAt: null }]);
    expect(explained(explanation)[0]).toBe('It is ready to run, but no worker claims from its queue. Start a worker.');
  });

  it('is attended for a minute after a worker asked, even if it got none', async () => {
    const queue = await make();
    await queue.claim({ worker: 'idle', max: 1 });
    const { lastPolledAt } = await polled(queue);
    const { id } = await queue.enqueue();
    expect(await queue.stats()).toMatchObject({ unattended: false, lastPolledAt });
    expect(await metric(queue)).toBe('0');
    expect((await service.waybill.task(id).why()).reasons).toEqual([
      { because: 'worker', unattended: false, lastPolledAt },
    ]);
    await passTwoMinutes();
    expect(await unattended(queue)).toBe(true);
  });

  it('is attended while a worker waits for tasks, however long', async () => {
    const queue = await make();
    const { id } = await queue.enqueue({}, { dueAt: new Date(Date.now() + 3_600_000) });
    const gone = new AbortController();
    const claim = queue.claim({ worker: 'patient', waitMs: 60_000 }, { signal: gone.signal }).catch(() => []);
    await polled(queue);
    await passTwoMinutes();
    await until('the worker is seen again', async () => ((await worker('patient'))!.state === 'alive' ? true : null));
    expect(await queue.stats()).toMatchObject({ unattended: false });
    gone.abort();
    await claim;
    await service.waybill.task(id).cancel();
  });

  it('is attended while a worker runs one of its tasks', async () => {
    const queue = await make();
    await queue.enqueueMany([{ payload: 1 }, { payload: 2 }]);
    const [claimedTask] = await queue.claim({ worker: 'busy' });
    await polled(queue);
    await passTwoMinutes();
    expect(await unattended(queue)).toBe(false);
    await service.waybill.settle([
      { taskId: claimedTask!.taskId, token: claimedTask!.token, verdict: { type: 'succeed' } },
    ]);
    expect(await unattended(queue)).toBe(true);
  });

  it('counts tasks that became due but were not made ready by a claim yet', async () => {
    const queue = await make();
    const { id } = await queue.enqueue({}, { dueAt: new Date(Date.now() + 3_600_000) });
    expect(await queue.stats()).toMatchObject({ unattended: false, oldestWaitingMs: null });
    await service.pool.query(`update waiting set due_at = now() - interval '5 minutes' where task_id = $1`, [id]);
    const { unattended: alone, oldestWaitingMs } = await queue.stats();
    expect(alone).toBe(true);
    expect(oldestWaitingMs).toBeGreaterThan(299_000);
  });

  it('is not unattended while it is paused, or its tasks wait for something else', async () => {
    const queue = await make();
    const { id } = await queue.enqueue();
    await queue.pause();
    expect(await unattended(queue)).toBe(false);
    await queue.resume();
    await service.waybill.task(id).hold();
    expect(await unattended(queue)).toBe(false);
  });
});

describe('the list of workers', () => {
  it('distinguishes workers that are alive from those that are gone, even if they never got a task', async () => {
    const queue = await make();
    await queue.enqueue();
    const [claimedTask] = await queue.claim({ worker: 'consumer', server: 's1', leaseMs: 300_000 });
    await queue.claim({ worker: 'visitor', server: 's2' });
    await until('both are known', async () => ((await worker('visitor')) && (await worker('consumer')) ? true : null));
    const { firstSeenAt, lastSeenAt, ...visitor } = (await worker('visitor'))!;
    expect(visitor).toMatchObject({ state: 'alive', server: 's2', queues: [queue.name], claimed: 0 });
    expect(Date.parse(firstSeenAt)).toBeLessThanOrEqual(Date.parse(lastSeenAt));
    await passTwoMinutes();
    expect(await worker('visitor')).toMatchObject({ state: 'gone' });
    expect(await worker('consumer')).toMatchObject({ state: 'alive', server: 's1' });
    const { position } = (
      await service.waybill.settle([
        { taskId: claimedTask!.taskId, token: claimedTask!.token, verdict: { type: 'succeed' } },
      ])
    )[0] as { position: string };
    await service.caughtUp('worker-roster', position);
    expect(await worker('consumer')).toMatchObject({ state: 'gone', claimed: 1, succeeded: 1 });
  });
});

describe('a worker whose handlers go on with tasks that it lost', () => {
  it('is alive while it says so, and the list of workers counts them', async () => {
    const queue = await make();
    await queue.claim({ worker: 'stuck', max: 0, stuck: 2 });
    const seen = (stuck: number) =>
      until(`the worker to have ${stuck} stuck handlers`, async () => {
        const one = await worker('stuck');
        return one?.stuck === stuck ? one : null;
      });
    expect(await seen(2)).toMatchObject({ state: 'alive', running: 0 });
    await queue.claim({ worker: 'stuck' });
    expect(await seen(2)).toMatchObject({ state: 'alive' });
    await queue.claim({ worker: 'stuck', max: 0, stuck: 0 });
    expect(await seen(0)).toMatchObject({ state: 'alive' });
  });

  it('gets no task by saying so', async () => {
    const queue = await make();
    await queue.enqueue();
    expect(await queue.claim({ worker: 'stuck', max: 0, stuck: 1 })).toEqual([]);
  });
});
