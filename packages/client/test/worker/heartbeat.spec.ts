import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Handler, StopReason, Worker } from '../../src/index.js';
import { deferred, type Deferred } from '../support/deferred.js';
import { until } from '../support/until.js';
import type { Received, Reply } from '../support/stub-service.js';
import {
  accepted,
  CLAIMS,
  EXTEND,
  extended,
  claimedTask,
  heartbeat,
  refused,
  SETTLE,
  StubWork,
} from '../support/stub-work.js';

let work: StubWork;
let worker: Worker;
let end: Deferred<unknown>;

beforeEach(async () => {
  work = await StubWork.start();
  end = deferred();
});
afterEach(async () => {
  end.resolve(null);
  await worker.stop();
  await work.service.close();
});

async function begin(handler: Handler<any>, ...claimedTasks: ReturnType<typeof claimedTask>[]): Promise<void> {
  worker = work.worker().handle('mail', handler);
  work.offer(...claimedTasks);
  await worker.start();
  await work.service.received(CLAIMS);
}

const beats = (): string[][] => work.service.of(EXTEND).map(({ body }) => body.items.map((item: any) => item.taskId));

/** A handler that ends with the signal, and records why. */
const stopping =
  (reasons: StopReason[], then: (run: any, reason: any) => unknown): Handler<any> =>
  (_, run) =>
    new Promise((resolve, reject) => {
      run.signal.addEventListener('abort', () => {
        reasons.push(run.stopReason!);
        try {
          resolve(then(run, run.signal.reason));
        } catch (error) {
          reject(error);
        }
      });
    });

describe('the heartbeat', () => {
  it('extends all running tasks together, three times per lease', async () => {
    await begin(() => end.promise, claimedTask('a', { token: '1.x' }), claimedTask('b', { token: '2.y' }));
    await work.clock.fire(10_000);
    const { body, headers } = await work.service.received(EXTEND);
    expect(body).toEqual({
      items: [
        { taskId: 'a', token: '1.x' },
        { taskId: 'b', token: '2.y' },
      ],
    });
    expect(headers['waybill-actor']).toBe('w1');
    await work.clock.fire(10_000);
    await work.service.received(EXTEND, 2);
    expect(work.clock.pending).not.toContain(0);
  });

  it('follows the shortest lease', async () => {
    await begin(
      () => end.promise,
      claimedTask('a'),
      claimedTask('b', { leaseMs: 3_000 }),
      claimedTask('c', { leaseMs: 60_000 }),
    );
    await work.clock.fire(1_000);
    await work.service.received(EXTEND);
    expect(beats()).toEqual([['a', 'b', 'c']]);
    expect(work.clock.pending.filter((ms) => ms < 30_000)).toEqual([]);
  });

  it('leaves out attempts that have ended', async () => {
    worker = work.worker({ concurrency: 2 }).handle('mail', ({ taskId }) => (taskId === 'a' ? end.promise : null));
    work.offer(claimedTask('a'), claimedTask('b'));
    await worker.start();
    await work.service.received(CLAIMS, 2);
    await work.clock.fire(10_000);
    await work.service.received(EXTEND);
    expect(beats()).toEqual([['a']]);
  });

  it('stops while nothing runs', async () => {
    worker = work.worker({ concurrency: 1 }).handle('mail', () => end.promise);
    work.offer(claimedTask('a'));
    await worker.start();
    await until(() => work.clock.pending.includes(10_000));
    end.resolve(null);
    await work.service.received(CLAIMS, 2);
    expect(work.clock.pending).toEqual([]);
  });

  it('retries soon if it was not answered, and lets the handlers continue', async () => {
    const told: unknown[] = [];
    work.service.on(EXTEND, 'cut', extended);
    let aborted = false;
    await begin(
      (_, run) => (run.signal.addEventListener('abort', () => (aborted = true)), end.promise),
      claimedTask('a'),
    );
    worker.on('unavailable', ({ doing, retryInMs }) => told.push([doing, retryInMs]));
    await work.clock.fire(10_000);
    await work.clock.fire(625);
    await work.service.received(EXTEND, 2);
    expect(told).toEqual([['extend', 625]]);
    expect(aborted).toBe(false);
  });
});

describe('a requested cancel', () => {
  it.each<[string, (run: any, reason: any) => unknown]>([
    [
      'throws the reason',
      (_, reason) => {
        throw reason;
      },
    ],
    [
      'throws an AbortError of its own',
      () => {
        throw new DOMException('aborted', 'AbortError');
      },
    ],
    ['returns run.cancelled()', (run) => run.cancelled()],
  ])('is passed to the handler, and confirmed when it %s', async (_, then) => {
    const reasons: StopReason[] = [];
    work.service.on(EXTEND, heartbeat({ a: 'cancel' }));
    await begin(stopping(reasons, then), claimedTask('a'));
    await work.clock.fire(10_000);
    await work.service.received(SETTLE);
    expect(reasons).toEqual(['cancel']);
    expect(work.verdicts).toEqual([['a', { type: 'confirmCancel' }]]);
  });

  it('does not undo a report that was accepted nevertheless', async () => {
    work.service.on(EXTEND, heartbeat({ a: 'cancel' }));
    await begin(
      stopping([], () => 'finished anyway'),
      claimedTask('a'),
    );
    await work.clock.fire(10_000);
    await work.service.received(SETTLE);
    expect(work.verdicts).toEqual([['a', { type: 'succeed', result: 'finished anyway' }]]);
  });

  it('does not hide another error', async () => {
    work.service.on(EXTEND, heartbeat({ a: 'cancel' }));
    await begin(
      stopping([], () => {
        throw new Error('clean-up failed');
      }),
      claimedTask('a'),
    );
    await work.clock.fire(10_000);
    await work.service.received(SETTLE);
    expect(work.verdicts).toMatchObject([['a', { type: 'fail', error: { message: 'clean-up failed' } }]]);
  });

  it('concerns its task only', async () => {
    const reasons: StopReason[] = [];
    work.service.on(EXTEND, heartbeat({ b: 'cancel' }));
    const both = stopping(reasons, (run) => run.cancelled());
    await begin(
      (task, run) => (task.taskId === 'a' ? end.promise : both(task, run)),
      claimedTask('a'),
      claimedTask('b'),
    );
    await work.clock.fire(10_000);
    await work.service.received(SETTLE);
    expect(work.verdicts).toEqual([['b', { type: 'confirmCancel' }]]);
  });
});

describe('with long leases, the worker', () => {
  const CHECK = 'POST /v1/leases/check';
  const HOUR = { leaseMs: 3_600_000 };
  const says =
    (kind: 'standing' | 'lost', cancelRequested = false) =>
    ({ body }: Received) => ({
      body: { results: body.items.map(({ taskId }: any) => ({ taskId, kind, cancelRequested })) },
    });

  it('asks every five seconds, about all of them at once, and extends none', async () => {
    work.service.on(CHECK, says('standing'));
    await begin(
      () => end.promise,
      claimedTask('a', { token: '1.x', ...HOUR }),
      claimedTask('b', { token: '2.y', ...HOUR }),
    );
    await work.clock.fire(5_000);
    await work.clock.fire(5_000);
    const { body } = await work.service.received(CHECK, 2);
    expect(body.items).toEqual([
      { taskId: 'a', token: '1.x' },
      { taskId: 'b', token: '2.y' },
    ]);
    expect(beats()).toEqual([]);
  });

  it.each<[string, Parameters<typeof says>, StopReason]>([
    ['a cancellation', ['standing', true], 'cancel'],
    ['a lost lease', ['lost'], 'lease-lost'],
  ])('learns of %s', async (_, answer, reason) => {
    const reasons: StopReason[] = [];
    work.service.on(CHECK, says(...answer));
    await begin(
      stopping(reasons, (run) => run.cancelled()),
      claimedTask('a', HOUR),
    );
    await work.clock.fire(5_000);
    await until(() => reasons.length > 0);
    expect(reasons).toEqual([reason]);
  });

  it('asks less often while it gets no answer, and says so', async () => {
    const told: unknown[] = [];
    work.service.on(CHECK, 'cut', 'cut', says('standing', true));
    const reasons: StopReason[] = [];
    await begin(
      stopping(reasons, (run) => run.cancelled()),
      claimedTask('a', HOUR),
    );
    worker.on('unavailable', ({ doing, retryInMs }) => told.push([doing, retryInMs]));
    await work.clock.fire(5_000);
    await work.clock.fire(7_500);
    await work.clock.fire(10_000);
    await until(() => reasons.length > 0);
    expect(told).toEqual([
      ['check', 7_500],
      ['check', 10_000],
    ]);
  });

  it('asks nothing while it runs nothing, or while its heartbeats are frequent', async () => {
    await begin(() => end.promise, claimedTask('a', HOUR), claimedTask('b'));
    await until(() => work.clock.pending.includes(10_000));
    end.resolve(null);
    await work.service.received(SETTLE);
    await until(() => work.clock.pending.length === 0);
    expect(work.service.of(CHECK)).toEqual([]);
  });
});

describe('a lost lease', () => {
  it('stops the handler, drops its verdict and keeps its slot until the handler has ended', async () => {
    const lost = deferred<string>();
    const stopped = deferred<unknown>();
    work.service.on(EXTEND, heartbeat({ a: 'lost' }));
    await begin(async (_, run) => {
      run.signal.addEventListener('abort', () => stopped.resolve(run.signal.reason));
      return end.promise;
    }, claimedTask('a'));
    worker.on('lost', ({ task }) => lost.resolve(task.taskId));
    await work.clock.fire(10_000);
    expect(await stopped.promise).toMatchObject({ name: 'AbortError', reason: 'lease-lost' });
    expect(await lost.promise).toBe('a');
    expect((await work.service.received(CLAIMS, 2)).body.max).toBe(9);
    end.resolve('too late');
    work.offer(claimedTask('b'));
    await work.service.received(SETTLE);
    expect(work.verdicts.map(([id]: any) => id)).toEqual(['b']);
  });

  it('is not reported while a verdict is being sent, because the answer to that decides', async () => {
    const answer = deferred();
    const lost: string[] = [];
    work.service.on(EXTEND, heartbeat({ a: 'lost' }));
    work.service.on(SETTLE, async (): Promise<Reply> => (await answer.promise, accepted));
    await begin(() => 'done', claimedTask('a'));
    worker.on('lost', ({ task }) => lost.push(task.taskId));
    await work.service.received(SETTLE);
    await work.clock.fire(10_000);
    await work.service.received(EXTEND);
    answer.resolve();
    await worker.stop();
    expect(lost).toEqual([]);
    expect(work.verdicts).toEqual([['a', { type: 'succeed', result: 'done' }]]);
  });

  it('that a settlement reports is reported once', async () => {
    const lost: string[] = [];
    work.service.on(SETTLE, refused('LEASE_LOST'));
    await begin(() => 'done', claimedTask('a'));
    worker.on('lost', ({ task }) => lost.push(task.taskId));
    await work.service.received(SETTLE);
    await worker.stop();
    expect(lost).toEqual(['a']);
  });
});
