import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type QueueHandle, TaskFailed, TaskNotEnded, type Waybill } from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { until } from '../support/until.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
/** Another process of the same service. */
let other: Waybill;
beforeAll(async () => {
  service = await startService();
  other = await service.addInstance();
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(): Promise<QueueHandle> {
  const queue = service.waybill.queue(`results-${++made}`);
  await queue.define({ onFailure: 'fail' });
  return queue;
}

/** Ends the queue's first task. */
async function end(queue: QueueHandle, verdict: Parameters<Waybill['settle']>[0][0]['verdict']): Promise<void> {
  const [task] = await queue.claim({ worker: 'w1', waitMs: 30_000 });
  const [settled] = await service.waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict }]);
  expect(settled).not.toHaveProperty('problem');
}

const patient = { timeoutMs: 120_000 };

describe('the result of a task', () => {
  it('is what its worker reported, at once if it has ended', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await end(queue, { type: 'succeed', result: { pages: 3 } });
    expect(await service.waybill.task(id).result({ timeoutMs: 0 })).toEqual({ pages: 3 });
  });

  it('arrives as soon as the task ends, in whichever process somebody waits', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const waits = [service.waybill, other].map((waybill) => waybill.task(id).result(patient));
    await end(queue, { type: 'succeed', result: 'done' });
    expect(await Promise.all(waits)).toEqual(['done', 'done']);
  });

  it('is the failure of a failed task, with its details', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const waits = other
      .task(id)
      .result(patient)
      .catch((thrown: unknown) => thrown);
    const error = { class: 'business', message: 'no tax number', details: { field: 'vat' } } as const;
    await end(queue, { type: 'fail', error });
    const refused = await waits;
    expect(refused).toBeInstanceOf(TaskFailed);
    expect(refused).toMatchObject({
      message: `Expected task '${id}' of queue '${queue.name}' to succeed, but it is failed: business: no tax number`,
      task: { task: id, state: 'failed', ended: true, error, result: null },
    });
  });

  it.each(['cancel', 'abort', 'delete'] as const)('is an error after a command to %s', async (command) => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const waits = service.waybill
      .task(id)
      .result(patient)
      .catch((thrown: unknown) => thrown);
    await service.waybill.task(id)[command]();
    expect(await waits).toMatchObject({ name: 'TaskFailed', task: { task: id, ended: true, error: null } });
  });

  it('is unknown while the task goes on, which the error says', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const late = await service.waybill
      .task(id)
      .result({ timeoutMs: 20 })
      .catch((thrown: unknown) => thrown);
    expect(late).toBeInstanceOf(TaskNotEnded);
    expect(late).toMatchObject({
      message: `Expected task '${id}' of queue '${queue.name}' to end within 20 ms, but it is still pending: its outcome is unknown`,
      task: { task: id, ended: false },
    });
  });

  it('is that of the last run: a retried task is waited for again', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await end(queue, { type: 'fail', error: { message: 'broken' } });
    await service.waybill.task(id).retry();
    const waits = other.task(id).result(patient);
    await end(queue, { type: 'succeed', result: 2 });
    expect(await waits).toBe(2);
  });

  it('is one that a person gave', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await queue.claim({ worker: 'w1' });
    const waits = other.task(id).result(patient);
    await service.waybill.task(id).overrule('succeed', 'seen on paper', { result: 'by hand' });
    expect(await waits).toBe('by hand');
  });

  it('stays when the task has left the lists', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await end(queue, { type: 'succeed', result: 'kept' });
    await queue.changePolicy({ retention: { succeeded: 0 } }, { ifVersion: (await queue.get()).policyVersion });
    const page = () => service.waybill.tasks.page({ queue: queue.name });
    await until('the task to leave the lists', async () => ((await page()).items.length === 0 ? true : null));
    expect(await other.task(id).result(patient)).toBe('kept');
  });

  it('is refused for a task that does not exist', async () => {
    await expect(service.waybill.task(uuidv7()).result(patient)).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it('is given up when its caller gives up', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const caller = new AbortController();
    const waits = service.waybill.task(id).result({ signal: caller.signal });
    caller.abort(new Error('enough'));
    await expect(waits).rejects.toThrow('enough');
  });
});

describe('the wait for a result', () => {
  it('is given up by a process that stops, so that its client asks another one', async () => {
    const brief = await startService();
    const queue = brief.waybill.queue('brief');
    await queue.define();
    const { id } = await queue.enqueue();
    const waits = fetch(`${brief.url}/v1/tasks/${id}/result?waitMs=60000`);
    await until('the wait to take its place', async () => {
      const metrics = await (await fetch(`${brief.url}/metrics`)).text();
      return /^waybill_waiting_requests 1$/m.test(metrics) || null;
    });
    const [answer] = await Promise.all([waits, brief.stop()]);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([503, 'SHUTTING_DOWN']);
    expect(answer.headers.get('retry-after')).toBe('1');
  });
});

describe('queue.run', () => {
  it('enqueues a task and waits for its result', async () => {
    const queue = await newQueue();
    const runs = [1, 2, 3].map((n) => queue.run({ n }, patient));
    const worker = service.waybill
      .worker({ logger: null })
      .handle(queue.name, ({ payload }) => ({ square: (payload as { n: number }).n ** 2 }));
    await worker.start();
    expect(await Promise.all(runs)).toEqual([{ square: 1 }, { square: 4 }, { square: 9 }]);
    await worker.stop();
  });

  it('can be repeated under the same id', async () => {
    const [queue, id] = [await newQueue(), uuidv7()];
    await expect(queue.run('x', { id, timeoutMs: 20 })).rejects.toMatchObject({
      name: 'TaskNotEnded',
      task: { task: id },
    });
    const again = queue.run('x', { id, ...patient });
    await end(queue, { type: 'succeed', result: 'once' });
    expect(await again).toBe('once');
    expect((await queue.tally()).counts).toMatchObject({ succeeded: 1 });
  });
});

describe('the results of what a task waited for', () => {
  /** A queue with two ended tasks, an open one and a batch, and a task that waits or waited for them. */
  async function dependent() {
    const queue = await newQueue();
    const assets = await queue.enqueue('assets', { reference: 'assets' });
    await end(queue, { type: 'succeed', result: { files: 7 } });
    const failing = await queue.enqueue('failing', { key: 'k1' });
    await end(queue, { type: 'fail', error: { message: 'broken' } });
    const batch = await service.waybill.createBatch({ name: 'nightly' });
    const after = [{ task: assets.id }, { task: failing.id }, { batch: batch.id }];
    const { id } = await queue.enqueue('links', { after });
    return { queue, assets: assets.id, failing: failing.id, batch: batch.id, id };
  }

  it('are listed by id, with what has none yet', async () => {
    const { id, queue, assets, failing, batch } = await dependent();
    const results = await everyOf(service.waybill.task(id).results());
    const of = { is: 'task', queue: queue.name, kind: 'task', key: null, reference: null, result: null };
    const expected = [
      { ...of, id: assets, state: 'succeeded', reference: 'assets', result: { files: 7 } },
      { ...of, id: failing, state: 'failed', key: 'k1' },
      { ...of, id: batch, is: 'batch', state: 'planning', queue: null, kind: null, reference: 'nightly' },
    ];
    expect(results).toEqual(expected.sort((one, other) => (one.id < other.id ? -1 : 1)));
  });

  it('come in pages, each of which goes on where the last one ended', async () => {
    const { id } = await dependent();
    const whole = await everyOf(service.waybill.task(id).results());
    expect(await everyOf(service.waybill.task(id).results({ limit: 1 }))).toEqual(whole);
  });

  it('end a page before they have more than 4 MiB, and are all told nevertheless', async () => {
    const [TASKS, queue] = [24, await newQueue()];
    const after = [];
    for (let n = 0; n < TASKS; n++) {
      after.push({ task: (await queue.enqueue(n, { reference: `r${n}` })).id });
      await end(queue, { type: 'succeed', result: { n, filled: randomBytes(120_000).toString('hex') } });
    }
    const { id } = await queue.enqueue('last', { after });
    const answer = await fetch(`${service.url}/v1/tasks/${id}/prerequisites`);
    const text = await answer.text();
    expect(text.length).toBeLessThan(4.5 * 1024 * 1024);
    const { items, nextCursor } = JSON.parse(text) as { items: object[]; nextCursor: string | null };
    expect([items.length > 0, items.length < TASKS, nextCursor]).toEqual([true, true, expect.any(String)]);
    const all = await everyOf(service.waybill.task(id).results());
    expect(all.map(({ result }) => (result as { n: number }).n).sort((a, b) => a - b)).toEqual([
      ...Array(TASKS).keys(),
    ]);
  });

  it('are asked for by their names in a handler', async () => {
    const queue = await newQueue();
    const assets = await queue.enqueue('assets', { reference: 'assets' });
    const sizes = await queue.enqueue('sizes', { key: 'sizes' });
    const last = await queue.enqueue('last', { after: [{ task: assets.id }, { task: sizes.id }] });
    const worker = service.waybill.worker({ logger: null }).handle(queue.name, async ({ payload }, run) => {
      const results = await run.results();
      if (payload !== 'last') return { of: payload, waitedFor: results.size };
      return [results.of('assets'), results.of('sizes'), results.of(sizes.id), nameless(() => results.of('links'))];
    });
    await worker.start();
    const [of0, of1] = ['assets', 'sizes'].map((of) => ({ of, waitedFor: 0 }));
    expect(await other.task(last.id).result(patient)).toEqual([
      of0,
      of1,
      of1,
      "Expected one prerequisite with the id, reference, key or kind 'links', but none of 2 have it",
    ]);
    await worker.stop();
  });

  it('are those of a task that is there', async () => {
    await expect(everyOf(service.waybill.task(uuidv7()).results())).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
    const { id } = await (await newQueue()).enqueue();
    expect(await everyOf(service.waybill.task(id).results())).toEqual([]);
    const url = `${service.url}/v1/tasks/${id}/prerequisites?cursor=x`;
    expect(await (await fetch(url)).json()).toMatchObject({ code: 'INVALID_INPUT' });
  });
});

async function everyOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function nameless(read: () => unknown): string {
  try {
    return String(read());
  } catch (error) {
    return (error as Error).message;
  }
}
