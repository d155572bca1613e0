import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Handler, inChild, inProcess, type QueueHandle, type Worker } from '@waybill/client';
import { createHash } from 'node:crypto';
import { type RunningService, startService } from '../../support/running-service.js';
import { built } from '../../support/built.js';
import { until } from '../../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
});

let made = 0;
const nextName = (): string => `operations-${++made}`;

const becomes = (id: string, state: string): Promise<true> =>
  until(`task ${id} to be ${state}`, async () =>
    (await service.waybill.task(id).get()).state === state ? true : null,
  );

describe('a function with a clean-up', () => {
  it('S3-01 runs it before it runs again, by the same retry as any other task', async () => {
    const queue = nextName();
    await service.waybill.queue(queue).define({ onFailure: 'fail' });
    const functions = service.waybill.functions({ queue });
    const did: string[] = [];
    const make = functions.task(
      'links:make',
      async (_, run, to: string) => {
        did.push(`made ${to}`);
        if (run.attempt === 1) throw new Error('the disk is full');
      },
      { cleanUp: async (_, run, to) => void did.push(`removed ${to} before ${run.attempt}`) },
    );
    await expect(make('/out')).rejects.toThrow('the disk is full');
    const { items } = await service.waybill.tasks.page({ queue });
    await service.waybill.task(items[0]!.id).retry({ reason: 'the disk has room again' });
    workers.push(service.waybill.worker({ name: 'w1', logger: null }).handle(functions));
    await workers[0]!.start();
    await becomes(items[0]!.id, 'succeeded');
    expect(did).toEqual(['made /out', 'removed /out before 2', 'made /out']);
  });
});

describe('executors', () => {
  const CHILD = built('test/acceptance/s3/hashing-child.ts');
  const HASH = createHash('sha256').update('tape').digest('hex');
  const here: Handler<{ readonly text: string }> = ({ payload: { text } }) => ({
    hash: createHash('sha256').update(text).digest('hex'),
    pid: process.pid,
  });

  let queue: QueueHandle<{ readonly text: string }>;
  async function work(handler: Handler<any>): Promise<Worker> {
    const worker = service.waybill.worker({ name: 'w1', logger: null, graceMs: 60_000 }).handle(queue, handler);
    workers.push(worker);
    await worker.start();
    return worker;
  }

  async function newQueue(): Promise<void> {
    queue = service.waybill.queue(nextName());
    await queue.define({ onFailure: 'fail', leaseMs: 3_000 });
  }

  it('S3-12 are replaced behind the same queue: in this process, or each task in a process of its own', async () => {
    await newQueue();
    const results: any[] = [];
    for (const executor of [inProcess(here), inChild(CHILD)]) {
      const worker = await work(executor);
      const { id } = await queue.enqueue({ text: 'tape' });
      await becomes(id, 'succeeded');
      const { result, progress } = await service.waybill.task(id).get();
      results.push({ ...(result as object), progress: progress.map(({ position }) => position) });
      await worker.stop();
    }
    expect(results).toEqual([
      { hash: HASH, pid: process.pid, progress: [] },
      { hash: HASH, pid: expect.any(Number), progress: [1] },
    ]);
    expect(results[1].pid).not.toBe(process.pid);
  });

  it('S3-12 report the same ends: a failure with its stack, a cancellation, and a process that died', async () => {
    await newQueue();
    await work(inChild(CHILD));
    const [failing, dying, waiting] = await Promise.all(
      ['fail', 'exit', 'wait'].map(async (text) => (await queue.enqueue({ text })).id),
    );
    await becomes(failing!, 'failed');
    const { error } = await service.waybill.task(failing!).get();
    expect(error).toMatchObject({ message: 'cannot hash this', class: 'business' });
    expect(JSON.stringify(error!.details)).toContain('hashing-child');
    await becomes(dying!, 'failed');
    expect((await service.waybill.task(dying!).get()).error!.message).toMatch(/process of task .* ended \(7\)/);
    await until('the waiting task to report', async () =>
      (await service.waybill.task(waiting!).get()).progress.length > 0 ? true : null,
    );
    await service.waybill.task(waiting!).cancel();
    await becomes(waiting!, 'cancelled');
  });
});
