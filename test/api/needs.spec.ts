import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueueHandle, Worker, WorkerView } from '@waybill/client';
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

async function make(policy: Parameters<QueueHandle['define']>[0] = { needs: {} }): Promise<QueueHandle> {
  const queue = service.waybill.queue(`needs-${++made}`);
  await queue.define(policy);
  return queue;
}

const GPU = { gpu: true };

async function offersOf(worker: string): Promise<WorkerView['offers']> {
  for await (const one of service.waybill.workers()) if (one.name === worker) return one.offers;
  throw new Error(`Expected worker '${worker}' in the list, but it is not there`);
}

const why = async (id: string) => (await service.waybill.task(id).why()).reasons;

/** Whether the queue is unattended, and how many needs nobody offers. */
const metrics = async (queue: QueueHandle) => {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const of = (name: string) => new RegExp(`^${name}\\{queue="${queue.name}"\\} (\\d)$`, 'm').exec(text)?.[1];
  return [of('waybill_queue_unattended'), of('waybill_unmet_needs')];
};

const attended = (queue: QueueHandle) =>
  until('that the queue is attended is known', async () => !(await queue.stats()).unattended || null);

describe('needs of tasks', () => {
  it('are refused where the policy looks at none, and in a serial queue', async () => {
    const queue = await make({});
    await expect(queue.enqueue({}, { needs: GPU })).rejects.toMatchObject({ code: 'NEEDS_NOT_TAKEN', status: 422 });
    await expect(make({ needs: GPU, concurrency: 'serial' })).rejects.toMatchObject({ code: 'NEEDS_NOT_POSSIBLE' });
    await queue.changePolicy({ needs: {} }, { ifVersion: 1 });
    const { id } = await queue.enqueue({}, { needs: GPU });
    expect(await service.waybill.task(id).get()).toMatchObject({ needs: GPU });
    expect(await queue.enqueue({}, { id, needs: GPU })).toMatchObject({ id, status: 'existing' });
    await expect(queue.enqueue({}, { id, needs: {} })).rejects.toMatchObject({ code: 'TASK_EXISTS' });
  });

  it.each([
    ['a list', { gpu: [true] }],
    ['no name', { '': 1 }],
    ['too long', { site: 'x'.repeat(257) }],
    ['too many', Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`n${n}`, n]))],
  ])('are bounded: %s is refused', async (_, labels) => {
    const queue = await make();
    const refused = { status: 400 };
    await expect(queue.enqueue({}, { needs: labels as never })).rejects.toMatchObject(refused);
    await expect(queue.claim({ worker: 'w', offers: labels as never })).rejects.toMatchObject(refused);
    await expect(make({ needs: labels as never })).rejects.toMatchObject(refused);
  });

  it('keep tasks from being started at once', async () => {
    const queue = await make();
    await expect(queue.start({ worker: 'w' })).rejects.toMatchObject({ code: 'START_NOT_ALLOWED' });
  });

  it('that no worker offers are named by why, and the queue is unattended until one does', async () => {
    const queue = await make();
    const { id } = await queue.enqueue({}, { needs: { ...GPU, site: 'paris' } });
    await queue.claim({ worker: 'plain', offers: { site: 'paris' } });
    await until('that the worker asked is known', async () => (await queue.stats()).lastPolledAt);
    expect(await why(id)).toMatchObject([{ because: 'worker', unattended: true, needs: { gpu: true, site: 'paris' } }]);
    expect(explained(await service.waybill.task(id).why())[0]).toBe(
      'It is ready to run, but no worker that offers gpu = true, site = paris has asked in the last minute. Start a worker that does.',
    );
    expect(await queue.stats()).toMatchObject({ unattended: true });
    expect(await metrics(queue)).toEqual(['1', '1']);
    await queue.claim({ worker: 'gpu', max: 0, offers: { ...GPU, site: 'paris' } });
    await queue.claim({ worker: 'gpu', offers: { ...GPU, site: 'rome' } });
    expect(
      await queue.claim({ worker: 'other', steps: undefined, offers: { a: 1, ...GPU, site: 'paris' } }),
    ).toHaveLength(1);
    await attended(queue);
    expect(await offersOf('plain')).toEqual({ site: 'paris' });
    // That it has the task is known at once, and what it offers a moment later.
    const known = async () => Object.keys(await offersOf('other')).length > 0 || null;
    await until('that what the worker offers is known', known);
    expect(await offersOf('other')).toEqual({ a: 1, ...GPU, site: 'paris' });
    for (let n = 0; n < 2; n++) await queue.enqueue({}, { needs: GPU });
    expect(await queue.stats()).toMatchObject({ unattended: false });
    expect(await metrics(queue)).toEqual(['0', '0']);
    const lacking: readonly Record<string, number | boolean>[] = [{ fpga: true }, { fpga: true }, { tpu: 1 }];
    for (const needs of lacking) await queue.enqueue({}, { needs });
    expect(await queue.stats()).toMatchObject({ unattended: true });
    expect(await metrics(queue)).toEqual(['1', '2']);
  });

  it('as of a moment: whether a worker offered them is not recorded', async () => {
    const queue = await make();
    const { id, position } = await queue.enqueue({}, { needs: GPU });
    const plain = await queue.enqueue();
    const then = service.waybill.asOf(plain.position);
    expect(await then.task(id).get()).toMatchObject({ needs: GPU });
    expect((await then.task(id).why()).asOf?.notRecorded).toContain('unattended');
    expect(BigInt(position)).toBeLessThan(BigInt(plain.position));
  });

  it('are met by a worker of the SDK that offers them', async () => {
    const queue = await make({ needs: GPU });
    const ran: string[] = [];
    const worker = (name: string, offers?: Record<string, boolean>) => {
      const one = service.waybill.worker({ name, ...(offers && { offers }), logger: null });
      one.handle(queue.name, async ({ taskId }) => void ran.push(`${name} ${taskId}`));
      workers.push(one);
      return one.start();
    };
    await worker('no-gpu');
    await worker('with-gpu', GPU);
    const { id } = await queue.enqueue();
    const none = await queue.enqueue({}, { needs: { 'no-such': 1 } });
    await service.waybill.task(id).result({ timeoutMs: 30_000 });
    expect(ran).toEqual([`with-gpu ${id}`]);
    expect(await service.waybill.task(none.id).get()).toMatchObject({ state: 'pending' });
  });

  it('are those of a trigger for its tasks, which a queue that takes none refuses', async () => {
    const [queue, plain] = [await make(), await make({})];
    const task = { queue: queue.name, needs: GPU };
    const trigger = service.waybill.trigger(`of-${queue.name}`);
    await trigger.define({ cron: '0 0 1 1 *', timeZone: 'UTC', task });
    expect(await trigger.get()).toMatchObject({ task });
    const { id } = await trigger.fire();
    expect(await service.waybill.task(id).get()).toMatchObject({ needs: GPU });
    expect(await queue.claim({ worker: 'plain' })).toEqual([]);
    expect((await queue.claim({ worker: 'gpu', offers: GPU })).map(({ taskId }) => taskId)).toEqual([id]);
    await trigger.define({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { ...task, queue: plain.name } });
    await expect(trigger.fire()).rejects.toMatchObject({ code: 'NEEDS_NOT_TAKEN' });
  });

  it('are those of the task that plans a batch, which a queue that takes none refuses', async () => {
    const [queue, plain] = [await make(), await make({})];
    const plan = { queue: queue.name, needs: GPU };
    const { id: batch } = await service.waybill.createBatch({ name: 'frames', plan });
    const { planner } = await service.waybill.batch(batch).get();
    expect(await service.waybill.task(planner!).get()).toMatchObject({ needs: GPU });
    expect(await queue.claim({ worker: 'plain' })).toEqual([]);
    await until('that the worker asked is known', async () => (await queue.stats()).lastPolledAt);
    expect(await why(planner!)).toMatchObject([{ because: 'worker', unattended: true, needs: GPU }]);
    expect((await queue.claim({ worker: 'gpu', offers: GPU })).map(({ taskId }) => taskId)).toEqual([planner]);
    const refused = service.waybill.createBatch({ name: 'frames', plan: { ...plan, queue: plain.name } });
    await expect(refused).rejects.toMatchObject({ code: 'NEEDS_NOT_TAKEN' });
  });

  it('leave the turns of a queue with fair shares to who offers them, which why says', async () => {
    const queue = await make({ needs: {}, fair: { label: 'tenant' } });
    const of = (tenant: string, needs = {}) => queue.enqueue({}, { labels: { tenant }, needs });
    const [gpu, plain] = [await of('acme', GPU), await of('bolt')];
    await of('acme');
    expect((await queue.claim({ worker: 'plain', max: 1 })).map(({ labels }) => labels?.['tenant'])).toEqual(['acme']);
    await until('that the worker asked is known', async () => (await queue.stats()).lastPolledAt);
    expect(await why(gpu.id)).toMatchObject([{ because: 'worker', unattended: true, needs: GPU, turnsBefore: 1 }]);
    expect(await why(plain.id)).toMatchObject([{ because: 'worker', turnsBefore: 0 }]);
    expect(explained(await service.waybill.task(gpu.id).why())[0]).toContain('no worker that offers gpu = true');
    expect((await queue.claim({ worker: 'gpu', offers: GPU, max: 2 })).map(({ taskId }) => taskId)).toEqual([
      gpu.id,
      plain.id,
    ]);
  });

  it('may be those of tasks that a planner adds to its batch', async () => {
    const queue = await make();
    const { id: batch } = await service.waybill.createBatch({ name: 'frames', plan: { queue: (await make()).name } });
    const { id } = await queue.enqueue({}, { batch, needs: GPU });
    expect(await service.waybill.task(id).get()).toMatchObject({ batch, needs: GPU });
  });

  it('go with a second run of the task', async () => {
    const queue = await make();
    const { id } = await queue.enqueue({}, { needs: GPU });
    const [task] = await queue.claim({ worker: 'gpu', offers: GPU });
    await service.waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict: { type: 'succeed' } }]);
    const again = await service.waybill.task(id).runAgain('once more');
    expect(await service.waybill.task(again.id).get()).toMatchObject({ needs: GPU });
    expect(await queue.claim({ worker: 'plain' })).toEqual([]);
  });
});
