import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueHandle, Worker } from '@waybill/client';
import { explained } from '@waybill/client/words';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
const workers: Worker[] = [];
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await service.stop();
});

let made = 0;

async function make(policy = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`by-step-${++made}`);
  await queue.define(policy);
  return queue;
}

const asked = (queue: QueueHandle) =>
  until('that somebody asked is known', async () => (await queue.stats()).lastPolledAt);

const metric = async (queue: QueueHandle): Promise<string | undefined> => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return new RegExp(`^waybill_queue_unattended\\{queue="${queue.name}"\\} (\\d)$`, 'm').exec(text)?.[1];
};

const passTwoMinutes = () => service.pool.query(`update worker_presence set seen_at = seen_at - interval '2 minutes'`);

describe('a queue whose workers claim by step', () => {
  it('is unattended if nobody claims the step of a task, which why names', async () => {
    const queue = await make({ steps: ['a', 'b'] });
    await queue.claim({ worker: 'old', steps: ['a'] });
    await asked(queue);
    const { id: atA } = await queue.enqueue();
    expect(await queue.stats()).toMatchObject({ unattended: false });
    const [task] = await queue.claim({ worker: 'old', steps: ['a'] });
    const { taskId, token } = task!;
    await service.waybill.settle([{ taskId, token, verdict: { type: 'completeStep', step: 'a', then: 'offer' } }]);
    expect(await queue.stats()).toMatchObject({ unattended: true });
    expect(await metric(queue)).toBe('1');
    const explanation = await service.waybill.task(atA).why();
    expect(explanation.reasons).toEqual([{ because: 'worker', unattended: true, lastPolledAt: null, step: 'b' }]);
    expect(explained(explanation)[0]).toBe(
      "It is ready to run, but no worker claims tasks at step 'b' from its queue. Start a worker that does.",
    );
    await queue.claim({ worker: 'new', steps: ['b'], max: 0 });
    await queue.claim({ worker: 'new', steps: ['b', 'a'], waitMs: 0 });
    expect(await queue.stats()).toMatchObject({ unattended: false });
  });

  it('is unattended if its tasks have no step', async () => {
    const queue = await make();
    const { id } = await queue.enqueue();
    await queue.define({ steps: ['a'] }, { replace: true });
    await queue.claim({ worker: 'steps-only', steps: ['a'] });
    await asked(queue);
    expect(await queue.stats()).toMatchObject({ unattended: true });
    expect((await service.waybill.task(id).why()).reasons).toMatchObject([{ because: 'worker', unattended: true }]);
  });

  it('is attended at all steps by a worker that runs a task, if it claims all', async () => {
    const queue = await make({ steps: ['a', 'b'] });
    await queue.enqueueMany([{ payload: 1 }, { payload: 2 }]);
    await queue.claim({ worker: 'busy', steps: ['a', 'b'] });
    await asked(queue);
    await passTwoMinutes();
    expect(await queue.stats()).toMatchObject({ unattended: false });
  });
});

/** A worker of task functions. */
async function functionWorker(queue: QueueHandle, ...names: string[]): Promise<Worker> {
  const functions = service.waybill.functions({ queue: queue.name });
  for (const name of names) functions.task(name, () => name);
  const worker = service.waybill.worker({ name: `w-${names.join()}-${made}`, concurrency: 1 }).handle(functions);
  workers.push(worker);
  await worker.start();
  return worker;
}

describe('a task of a function', () => {
  it('is unattended once every worker gave it back, which why names, until one serves it', async () => {
    const queue = await make();
    await functionWorker(queue, 'v1:run');
    await asked(queue);
    const { id } = await queue.enqueue([], { kind: 'v2:run' });
    const task = service.waybill.task(id);
    const why = await until('that nobody serves it', async () => {
      const explanation = await task.why();
      return explanation.reasons.some(({ unattended }) => unattended) ? explanation : null;
    });
    expect(why.reasons.find(({ because }) => because === 'worker')).toEqual({
      because: 'worker',
      unattended: true,
      lastPolledAt: expect.any(String),
      kind: 'v2:run',
    });
    expect(explained(why).join('\n')).toContain(
      "Every worker of its queue has given tasks of kind 'v2:run' back as unknown. Start a worker that knows it.",
    );
    // The task is offered again from time to time, and whoever runs it attends the queue until it has given it back.
    await until('the queue to be unattended', async () => (await queue.stats()).unattended || null);
    await until('the metric to say so', async () => (await metric(queue)) === '1' || null);
    await functionWorker(queue, 'v1:run', 'v2:run');
    await until('the task to have succeeded', async () => ((await task.get())?.state === 'succeeded' ? true : null));
    expect(await queue.stats()).toMatchObject({ unattended: false });
  });
});
