import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deferred, type Deferred } from '../support/deferred.js';
import { problem, type Reply } from '../support/stub-service.js';
import { accepted, CLAIMS, claimedTask, SETTLE, StubWork } from '../support/stub-work.js';
import { until } from '../support/until.js';
import type { Worker, WorkerOptions } from '../../src/index.js';

let work: StubWork;
let worker: Worker;

beforeEach(async () => {
  work = await StubWork.start('mail', 'print');
});
afterEach(async () => {
  await worker.stop();
  await work.service.close();
});

const newWorker = (options?: WorkerOptions): Worker => (worker = work.worker(options));
const claims = (): any[] => work.service.of(CLAIMS).map(({ body }) => body);

describe('a claim', () => {
  it("sends the worker's name, the number of tasks and the time to wait", async () => {
    newWorker({ concurrency: 7, leaseMs: 9_000 }).handle('mail', () => null);
    await worker.start();
    const { body, headers } = await work.service.received(CLAIMS);
    const claimId = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(body).toEqual({ worker: 'w1', server: 's1', build: '3.1', leaseMs: 9_000, max: 7, waitMs: 30_000, claimId });
    expect(headers['waybill-actor']).toBe('w1');
  });

  it('asks for no more tasks than the prefetch', async () => {
    newWorker({ concurrency: 7, prefetch: 3 }).handle('mail', () => null);
    await worker.start();
    expect((await work.service.received(CLAIMS)).body.max).toBe(3);
  });

  it('asks for no more tasks than one claim gives out, however many slots are free', async () => {
    newWorker({ concurrency: 5_000, prefetch: 2_000 }).handle('mail', () => null);
    await worker.start();
    expect((await work.service.received(CLAIMS)).body.max).toBe(1_000);
  });

  it('asks in whole milliseconds', async () => {
    newWorker({ waitMs: 100.4, leaseMs: 9_000.5 }).handle('mail', () => null);
    await worker.start();
    expect((await work.service.received(CLAIMS)).body).toMatchObject({ waitMs: 100, leaseMs: 9_001 });
  });

  it('omits the lease if the worker does not set one, and names host and process by default', async () => {
    newWorker({ name: undefined, server: undefined }).handle('mail', () => null);
    await worker.start();
    const { body } = await work.service.received(CLAIMS);
    expect(body).not.toHaveProperty('leaseMs');
    expect(body.server).not.toBe('');
    expect(body.worker).toBe(`${body.server}-${process.pid}`);
  });
});

describe('slots', () => {
  it('are never exceeded, and are free again only when the settlement is answered', async () => {
    const ends = new Map<string, Deferred>();
    const started: string[] = [];
    const settling = deferred();
    const answer = deferred();
    let running = 0;
    let most = 0;
    const slow: Reply = async () => {
      settling.resolve();
      await answer.promise;
      return accepted;
    };
    work.service.on(SETTLE, slow, accepted);
    work.offer(...['a', 'b', 'c', 'd', 'e'].map((id) => claimedTask(id)));
    const third = deferred();
    newWorker({ concurrency: 2 }).handle('mail', async (task) => {
      most = Math.max(most, ++running);
      started.push(task.taskId);
      if (started.length === 3) third.resolve();
      ends.set(task.taskId, deferred());
      if (started.length <= 2) await ends.get(task.taskId)!.promise;
      running--;
    });
    await worker.start();
    await work.service.received(CLAIMS);
    await until(() => started.length === 2);
    ends.get('a')!.resolve();
    await settling.promise;
    expect(claims()).toHaveLength(1);
    answer.resolve();
    await third.promise;
    expect(claims()[1].max).toBe(1);
    ends.get('b')!.resolve();
    await until(() => started.length === 5);
    expect(most).toBe(2);
    expect(claims().every(({ max }) => max <= 2)).toBe(true);
  });

  it('that become free together are filled by one claim', async () => {
    work.offer(...['a', 'b', 'c', 'd', 'e', 'f'].map((id) => claimedTask(id)));
    let worked = 0;
    newWorker({ concurrency: 3 }).handle('mail', () => worked++);
    await worker.start();
    await work.service.received(CLAIMS, 3);
    expect(worked).toBe(6);
    expect(claims().map(({ max }) => max)).toEqual([3, 3, 3]);
    expect(work.settlements.map((items) => items.length)).toEqual([3, 3]);
  });

  it('are shared by queues: an empty queue waits with a single slot', async () => {
    const ends = deferred();
    newWorker({ concurrency: 5 })
      .handle('mail', () => ends.promise)
      .handle('print', () => ends.promise);
    await worker.start();
    const printed = 'POST /v1/queues/print/claims';
    expect((await work.service.received(CLAIMS, 2)).body).toMatchObject({ max: 1, waitMs: 30_000 });
    expect((await work.service.received(printed, 2)).body).toMatchObject({ max: 1, waitMs: 30_000 });
    work.offer(...['a', 'b', 'c'].map((taskId) => claimedTask(taskId)));
    expect((await work.service.received(CLAIMS, 3)).body).toMatchObject({ max: 3, waitMs: 0 });
    ends.resolve();
  });

  it('change queues quickly if there are more queues than slots', async () => {
    newWorker({ concurrency: 1 })
      .handle('mail', () => null)
      .handle('print', () => null);
    await worker.start();
    const waiting = Promise.race([
      work.service.received(CLAIMS, 2),
      work.service.received('POST /v1/queues/print/claims', 2),
    ]);
    expect((await waiting).body).toMatchObject({ max: 1, waitMs: 1_000 });
  });

  it('stay with a queue that has tasks, while an empty one is asked without waiting', async () => {
    work.offer(...['a', 'b', 'c'].map((taskId) => claimedTask(taskId, { queue: 'print' })));
    const worked: string[] = [];
    const all = deferred();
    newWorker({ concurrency: 1 })
      .handle('mail', () => null)
      .handle('print', ({ taskId }) => {
        if (worked.push(taskId) === 3) all.resolve();
      });
    await worker.start();
    await all.promise;
    expect(claims()).toEqual([expect.objectContaining({ max: 1, waitMs: 0 })]);
    await work.service.received(CLAIMS, 2);
  });

  it('change queues after a while even if one queue never runs out of tasks', async () => {
    work.offer(
      ...Array.from({ length: 30 }, (_, n) => claimedTask(`mail-${n}`)),
      claimedTask('print', { queue: 'print' }),
    );
    const worked: string[] = [];
    const all = deferred();
    const note = ({ taskId }: { taskId: string }): void => {
      if (worked.push(taskId) === 31) all.resolve();
    };
    newWorker({ concurrency: 1 }).handle('mail', note).handle('print', note);
    await worker.start();
    await all.promise;
    expect(worked.indexOf('print')).toBeLessThan(15);
  });

  it.each([0, -1, 1.5, NaN])('must be a number of tasks: %s', (concurrency) => {
    newWorker();
    expect(() => work.worker({ concurrency })).toThrow(
      `Expected concurrency to be a whole number of tasks, 1 or more, but it is ${concurrency}`,
    );
  });
});

describe('a service that does not answer', () => {
  it('is asked again under the same claim id, at growing intervals, and the application learns of it', async () => {
    const told: unknown[] = [];
    work.service.on(CLAIMS, 'cut', problem(503, 'EVENT_STORE_UNAVAILABLE'), work.claimsOf('mail'));
    newWorker()
      .handle('mail', () => null)
      .on('unavailable', ({ doing, retryInMs }) => told.push([doing, retryInMs]));
    await worker.start();
    await work.clock.fire(100);
    await work.clock.fire(200);
    await work.service.received(CLAIMS, 3);
    const [first, second, third] = claims();
    expect([second, third]).toEqual([first, first]);
    expect(told).toEqual([
      ['claim', 100],
      ['claim', 200],
    ]);
  });

  it('is asked at least every half minute, without end', async () => {
    work.service.on(CLAIMS, 'cut');
    work.clock.fraction = 0.999;
    const told: number[] = [];
    newWorker()
      .handle('mail', () => null)
      .on('unavailable', ({ retryInMs }) => told.push(retryInMs!));
    await worker.start();
    const delays = [200, 400, 799, 1_598, 3_197, 6_394, 12_787, 25_574, 29_970, 29_970];
    for (const delay of delays) await work.clock.fire(delay);
    await work.service.received(CLAIMS, 11);
    expect(told.slice(0, delays.length).map(Math.round)).toEqual(delays);
  });

  it('gives the tasks of a claim whose answer was lost', async () => {
    const claim = work.claimsOf('mail') as (request: unknown) => Promise<Reply>;
    work.offer(claimedTask('a'));
    work.service.on(CLAIMS, async (request): Promise<Reply> => (await claim(request), 'cut'), work.claimsOf('mail'));
    const worked = deferred<string>();
    newWorker().handle('mail', ({ taskId }) => worked.resolve(taskId));
    await worker.start();
    await work.clock.fire(100);
    expect(await worked.promise).toBe('a');
  });

  it('is asked again with a new claim if it does not know the queue yet', async () => {
    work.service.on(CLAIMS, problem(404, 'QUEUE_NOT_FOUND'), work.claimsOf('mail'));
    const told = deferred<unknown>();
    newWorker()
      .handle('mail', () => null)
      .on('unavailable', ({ error }) => told.resolve(error));
    await worker.start();
    expect(await told.promise).toMatchObject({ code: 'QUEUE_NOT_FOUND' });
    await work.clock.fire(100);
    await work.service.received(CLAIMS, 2);
    expect(claims()[0].claimId).not.toBe(claims()[1].claimId);
  });

  it('is asked for a queue that it does not know at growing intervals, and the application is told once', async () => {
    const unknown = problem(404, 'QUEUE_NOT_FOUND');
    const warnings: string[] = [];
    work.service.on(CLAIMS, ...Array.from({ length: 8 }, () => unknown), work.claimsOf('mail'));
    work.clock.fraction = 0.999;
    work.offer(claimedTask('a'));
    const worked = deferred<string>();
    newWorker({ logger: { warn: (_fields, words) => warnings.push(words) } }).handle('mail', ({ taskId }) =>
      worked.resolve(taskId),
    );
    await worker.start();
    for (const delay of [200, 400, 799, 1_598, 3_197, 4_995, 4_995, 4_995]) await work.clock.fire(delay);
    expect(await worked.promise).toBe('a');
    expect(warnings).toEqual([expect.stringContaining('QUEUE_NOT_FOUND')]);
  });

  it('is asked for another queue meanwhile, also with the only slot', async () => {
    work.service.on(CLAIMS, problem(404, 'QUEUE_NOT_FOUND'));
    const worked = deferred<string>();
    newWorker({ concurrency: 1 })
      .handle('mail', () => null)
      .handle('print', ({ taskId }) => worked.resolve(taskId));
    await worker.start();
    await work.service.received(CLAIMS);
    work.offer(claimedTask('p', { queue: 'print' }));
    expect(await worked.promise).toBe('p');
  });
});

describe('a worker', () => {
  it('needs a handler, and only one per queue, before it starts', async () => {
    newWorker();
    await expect(worker.start()).rejects.toThrow('Expected a handler before the start, but the worker has none');
    worker.handle('mail', () => null);
    expect(() => worker.handle('mail', () => null)).toThrow("Expected one handler of queue 'mail', but got a second");
    await worker.start();
    expect(() => worker.handle('print', () => null)).toThrow(
      "Expected to add the handler of queue 'print' before the start",
    );
  });

  it('that is started twice runs once', async () => {
    newWorker().handle('mail', () => null);
    await Promise.all([worker.start(), worker.start()]);
    await worker.start();
    await work.service.received(CLAIMS);
    await worker.stop();
    expect(claims()).toHaveLength(2);
    expect(new Set(claims().map(({ claimId }) => claimId)).size).toBe(1);
  });
});
