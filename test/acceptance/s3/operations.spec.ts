import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createWaybill,
  type Handler,
  inChild,
  inProcess,
  type QueueHandle,
  type Waybill,
  type Worker,
} from '@waybill/client';
import { detailsOf } from '@waybill/client/words';
import { createHash, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endServiceProcesses, ServiceProcess } from '../../service-process.js';
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
      const said = [];
      for await (const { text, fields } of service.waybill.task(id).log()) said.push({ text, fields });
      results.push({ ...(result as object), progress: progress.map(({ position }) => position), said });
      await worker.stop();
    }
    expect(results).toEqual([
      { hash: HASH, pid: process.pid, progress: [], said: [] },
      { hash: HASH, pid: expect.any(Number), progress: [1], said: [{ text: 'hashed', fields: { characters: 4 } }] },
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

describe('one retry', () => {
  /** Each fails until its cause is repaired. */
  const KINDS: readonly (readonly [kind: string, policy: object, more: object])[] = [
    ['assets', { onFailure: 'fail' }, {}],
    ['links', { onFailure: 'retry', retry: { maxAttempts: 1 } }, { key: '/in/tape' }],
    ['metadata', { onFailure: 'fail', steps: ['harvest', 'store'] }, { reference: 'tape-17' }],
    ['notices', { onFailure: 'fail', concurrency: 'serial' }, { priority: 5 }],
  ];

  it('S3-02 resubmits a task of any kind after a repair', async () => {
    let isRepaired = false;
    const handler: Handler = async ({ kind }, run) => {
      if (!isRepaired) throw new Error('the mount is gone');
      if (kind === 'metadata') await run.completeStep('harvest');
    };
    const worker = service.waybill.worker({ name: 'w1', logger: null });
    workers.push(worker);
    const ids: string[] = [];
    for (const [kind, policy, more] of KINDS) {
      const queue = service.waybill.queue(nextName());
      await queue.define(policy);
      ids.push((await queue.enqueue({}, { kind, ...more })).id);
      worker.handle(queue, handler);
    }
    await worker.start();
    for (const id of ids) await becomes(id, 'failed');
    isRepaired = true;
    for (const id of ids) await service.waybill.task(id).retry({ reason: 'the mount is back' });
    for (const id of ids) await becomes(id, 'succeeded');
    const types = await Promise.all(
      ids.map(async (id) => (await service.waybill.task(id).history()).map(({ type }) => type)),
    );
    for (const [at, [kind]] of KINDS.entries())
      expect([kind, types[at]!.filter((type) => /^Task(Failed|Retried|Succeeded)$/.test(type))]).toEqual([
        kind,
        ['TaskFailed', 'TaskRetried', 'TaskSucceeded'],
      ]);
  });
});

describe('a crash of everything', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-'));
  // Postgres runs as another user than root.
  chmodSync(folder, 0o755);
  afterAll(async () => {
    await endServiceProcesses();
    rmSync(folder, { recursive: true, force: true });
  });

  const { EVENT_STORE_URL } = process.env;
  const env = {
    WAYBILL_DATA_DIR: join(folder, 'data'),
    ...(EVENT_STORE_URL && { EVENT_STORE_URL, EVENT_STORE_PREFIX: `${randomUUID().replaceAll('-', '')}.` }),
  };

  /** The service with a Postgres of its own, all in one process group. */
  async function start(): Promise<{ readonly waybill: Waybill; kill(): Promise<unknown> }> {
    const started = new ServiceProcess(env, undefined, { detached: true });
    const waybill = createWaybill({ url: await started.url() });
    const kill = (): Promise<unknown> => {
      started.kill('SIGKILL');
      return started.ended;
    };
    return { waybill, kill };
  }

  it('S3-03 leaves 100 tasks pending, 5 running or resumable, and 3 failed with their errors', async () => {
    const first = await start();
    await first.waybill.queue('console').define({ onFailure: 'fail', leaseMs: 5_000 });
    await first.waybill.queue('console').enqueueMany(Array.from({ length: 108 }, () => ({})));
    const claimed = await first.waybill.queue('console').claim({ worker: 'w1', max: 8 });
    const failing = claimed.slice(0, 3);
    await first.waybill.settle(
      failing.map(({ taskId, token }, n) => ({
        taskId,
        token,
        verdict: { type: 'fail', error: { message: `tape ${n} is torn` } },
      })),
    );
    await first.kill();

    const { waybill } = await start();
    const ids = async (state: 'pending' | 'running' | 'failed'): Promise<string[]> => {
      const found: string[] = [];
      for await (const { id } of waybill.tasks.list({ queue: 'console', state })) found.push(id);
      return found;
    };
    const errors = await Promise.all(
      failing.map(async ({ taskId }) => (await waybill.task(taskId).get()).error?.message),
    );
    expect(errors).toEqual(['tape 0 is torn', 'tape 1 is torn', 'tape 2 is torn']);
    expect((await ids('failed')).sort()).toEqual(failing.map(({ taskId }) => taskId).sort());
    const interrupted = claimed.slice(3).map(({ taskId }) => taskId);
    expect([...(await ids('pending')), ...(await ids('running'))]).toHaveLength(105);
    // Their worker is gone. When their leases have ended, they wait again.
    for (const id of interrupted) {
      await until(`task ${id} to be resumable`, async () =>
        (await waybill.task(id).get()).state === 'pending' ? true : null,
      );
      const history = await waybill.task(id).history();
      expect(history.map(({ type }) => type)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskLeaseExpired']);
    }
  });
});

describe('a project manager', () => {
  const KEY = 'wb_of-the-manager';
  const sha256 = createHash('sha256').update(KEY).digest('hex');
  const worker = {
    name: 'worker',
    sha256: createHash('sha256').update('wb_worker').digest('hex'),
    may: ['enqueue', 'work', 'read', 'operate'],
  };
  const apiKeys = [{ name: 'manager', sha256, may: ['operate', 'read'] }, worker] as never;
  let keyed: RunningService;
  let queue: QueueHandle;
  let manager: Waybill;
  beforeAll(async () => {
    keyed = await startService({ apiKeys });
    manager = createWaybill({ url: keyed.url, apiKey: KEY, actor: 'mia' });
    queue = createWaybill({ url: keyed.url, apiKey: 'wb_worker' }).queue('console');
    await queue.define();
  });
  afterAll(() => keyed.stop());

  const take = async () => (await queue.claim({ worker: 'w1', max: 1 }))[0];

  it('S3-08 prefers one task to others', async () => {
    const [, second] = [await queue.enqueue('first'), await queue.enqueue('second')];
    await manager.task(second.id).prioritise(10);
    expect(await take()).toMatchObject({ payload: 'second' });
    expect(await take()).toMatchObject({ payload: 'first' });
  });

  it('S3-08 pauses a waiting task, which nobody gets while there is room, and resumes it by one action', async () => {
    const { id } = await queue.enqueue('paused');
    await manager.task(id).hold({ reason: 'the tape is needed elsewhere' });
    expect(await take()).toBeUndefined();
    expect((await manager.task(id).why()).reasons).toMatchObject([
      { because: 'held', by: 'manager:mia', reason: 'the tape is needed elsewhere' },
    ]);
    await manager.task(id).release();
    expect(await take()).toMatchObject({ taskId: id });
  });

  it('S3-08 pauses a running task, which is cancelled and stays paused', async () => {
    const { id } = await queue.enqueue('running');
    const handler: Handler = (_, run) =>
      new Promise((_done, stop) => run.signal.addEventListener('abort', () => stop(run.signal.reason)));
    const client = createWaybill({ url: keyed.url, apiKey: 'wb_worker' });
    const worker = client.worker({ name: 'w1', leaseMs: 2_000, logger: null }).handle(queue, handler);
    workers.push(worker);
    await worker.start();
    const isNow = (state: string) =>
      until(`the task to be ${state}`, async () => ((await manager.task(id).get()).state === state ? true : null));
    await isNow('running');
    await manager.task(id).hold();
    await isNow('held');
    expect((await manager.task(id).history()).map(({ type }) => type)).toContain('TaskCancelConfirmed');
  });
});

describe('the record of the past', () => {
  it('S3-09 has the errors of earlier runs after a restart, for people too', async () => {
    const queue = service.waybill.queue(nextName());
    await queue.define({ onFailure: 'fail' });
    const { id } = await queue.enqueue({});
    const attempt = async (message?: string): Promise<void> => {
      const [claimed] = await queue.claim({ worker: 'w1', max: 1 });
      const verdict = message
        ? ({ type: 'fail', error: { message } } as const)
        : ({ type: 'succeed', result: 7 } as const);
      await service.waybill.settle([{ taskId: id, token: claimed!.token, verdict }]);
    };
    await attempt('the disk is full');
    await service.waybill.task(id).retry({ reason: 'cleaned up' });
    await attempt('the mount is gone');
    await service.restart();
    const task = service.waybill.task(id);
    expect(await task.get()).toMatchObject({ state: 'failed', attempt: 2, error: { message: 'the mount is gone' } });
    await task.retry({ reason: 'mounted again' });
    // With the events in EventStoreDB, a slow start may leave the index behind what is answered.
    const [claimed] = await service.waybill.queue(queue.name).claim({ worker: 'w2', max: 1, waitMs: 60_000 });
    await service.waybill.settle([{ taskId: id, token: claimed!.token, verdict: { type: 'succeed', result: 7 } }]);
    const told = (await task.history()).map((event) => `${event.type}: ${detailsOf(event)}`);
    expect(told.filter((line) => /disk|mount|cleaned/.test(line))).toEqual([
      expect.stringContaining('the disk is full'),
      expect.stringContaining('cleaned up'),
      expect.stringContaining('the mount is gone'),
      expect.stringContaining('mounted again'),
    ]);
    expect(await task.get()).toMatchObject({ state: 'succeeded', error: null, result: 7 });
  });
});
