import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StopReason, StopReport, Worker } from '../../src/index.js';
import { deferred, type Deferred } from '../support/deferred.js';
import type { Received, Reply } from '../support/stub-service.js';
import { CLAIMS, claimedTask, refused, SETTLE, StubWork } from '../support/stub-work.js';

let work: StubWork;
let worker: Worker;
let end: Deferred<unknown>;

beforeEach(async () => {
  work = await StubWork.start();
  end = deferred();
  worker = work.worker({ graceMs: 5_000 });
});
afterEach(async () => {
  await worker.stop();
  await work.service.close();
});

const waitingPoll = async (): Promise<void> => {
  await worker.start();
  await work.service.received(CLAIMS);
};

/** Starts tasks whose handlers run until `end`. Resolves when all of them run. */
async function running(...ids: string[]): Promise<void> {
  const started = deferred();
  let count = 0;
  worker.handle('mail', () => (++count === ids.length && started.resolve(), end.promise));
  work.offer(...ids.map((id) => claimedTask(id)));
  await worker.start();
  await started.promise;
}

describe('stop', () => {
  it('ends the waiting poll, and starts no other', async () => {
    worker.handle('mail', () => null);
    await waitingPoll();
    expect(await worker.stop()).toEqual({ returned: [], abandoned: [] });
    await work.service.requests[0]!.gone;
    expect(work.service.of(CLAIMS).map(({ body }) => body.waitMs)).toEqual([30_000, 0]);
    expect(work.clock.pending).toEqual([]);
  });

  it('returns the tasks that a poll got while it was being ended', async () => {
    const started: string[] = [];
    worker.handle('mail', ({ taskId }) => started.push(taskId));
    // The service gives out tasks just as the worker hangs up: the answer never arrives, and only the claim id can find
    // it.
    const claim = work.claimsOf('mail') as (request: Received) => Promise<Reply>;
    const lateAnswer = async (request: Received): Promise<Reply> => {
      await request.gone;
      work.offer(claimedTask('a'), claimedTask('b'));
      await claim(request);
      work.offer(claimedTask('c'));
      handedOut.resolve();
      return 'silence';
    };
    const handedOut = deferred();
    work.service.on(CLAIMS, lateAnswer, async (request): Promise<Reply> => (await handedOut.promise, claim(request)));
    await waitingPoll();
    expect(await worker.stop()).toEqual({ returned: ['a', 'b'], abandoned: [] });
    expect(work.verdicts).toEqual([
      ['a', { type: 'return', unstarted: true }],
      ['b', { type: 'return', unstarted: true }],
    ]);
    expect(started).toEqual([]);
  });

  it("does not fail if a returned task's lease is already lost", async () => {
    work.service.on(SETTLE, refused('LEASE_LOST'));
    worker.handle('mail', () => null);
    const claim = work.claimsOf('mail') as (request: Received) => Promise<Reply>;
    work.service.on(
      CLAIMS,
      'silence',
      async (request): Promise<Reply> => (work.offer(claimedTask('a')), claim(request)),
    );
    await waitingPoll();
    expect(await worker.stop()).toEqual({ returned: [], abandoned: [] });
  });

  it('does not wait long for an unreachable service', async () => {
    work.service.on(CLAIMS, 'cut');
    worker.handle('mail', () => null);
    await waitingPoll();
    await work.service.received(CLAIMS);
    expect(await worker.stop()).toEqual({ returned: [], abandoned: [] });
  });

  it('lets handlers finish within the grace time, and their verdicts count', async () => {
    await running('a', 'b');
    const stopped = worker.stop();
    end.resolve('done');
    expect(await stopped).toEqual({ returned: [], abandoned: [] });
    expect(work.verdicts).toEqual(['a', 'b'].map((id) => [id, { type: 'succeed', result: 'done' }]));
    expect(work.clock.pending).toEqual([]);
  });

  it.each([
    [3_000, 2_000],
    [100, 50],
  ])('of %d ms tells handlers to stop after %d, and returns their tasks', async (graceMs, obeyAfterMs) => {
    const reasons: (StopReason | null)[] = [];
    const started = deferred();
    worker = work.worker({ graceMs }).handle('mail', (_, run) => {
      started.resolve();
      return new Promise((_resolve, reject) => {
        run.signal.addEventListener('abort', () => {
          reasons.push(run.stopReason);
          reject(run.signal.reason);
        });
      });
    });
    work.offer(claimedTask('a'));
    await worker.start();
    await started.promise;
    const stopped = worker.stop();
    await work.clock.fire(obeyAfterMs);
    expect(await stopped).toEqual({ returned: ['a'], abandoned: [] });
    expect(reasons).toEqual(['shutdown']);
    expect(work.verdicts).toEqual([['a', { type: 'return' }]]);
  });

  it.each([
    [5_000, 4_000, 1_000],
    [100, 50, 50],
  ])('of %d ms takes no longer than that: after %d and %d', async (graceMs, ...waits) => {
    worker = work.worker({ graceMs });
    await running('a');
    const stopped = worker.stop();
    for (const ms of waits) await work.clock.fire(ms);
    expect((await stopped).abandoned).toMatchObject([{ taskId: 'a' }]);
    expect(work.clock.now()).toBe(graceMs);
    end.resolve('too late');
  });

  it('abandons handlers that do not stop, names their tasks, and fails none', async () => {
    const warned: string[] = [];
    worker = work.worker({ graceMs: 5_000, logger: { warn: (_fields, message) => warned.push(message) } });
    await running('a', 'b');
    const stopped = worker.stop();
    await work.clock.fire(4_000);
    await work.clock.fire(1_000);
    const { returned, abandoned } = await stopped;
    expect(returned).toEqual([]);
    expect(abandoned.map(({ taskId, queue }) => [taskId, queue])).toEqual([
      ['a', 'mail'],
      ['b', 'mail'],
    ]);
    expect(warned).toEqual([
      "Expected all handlers to end in time, but these did not: task 'a' of queue 'mail' (attempt 1), task 'b' of queue 'mail' (attempt 1)",
    ]);
    end.resolve('too late');
    await end.promise;
    expect(work.verdicts).toEqual([]);
    expect(work.clock.pending).toEqual([]);
  });

  it('names tasks whose verdict the service never answered', async () => {
    work.service.on(SETTLE, 'silence');
    await running('a');
    end.resolve('done');
    await work.service.received(SETTLE);
    const stopped = worker.stop();
    await work.clock.fire(4_000);
    await work.clock.fire(1_000);
    expect((await stopped).abandoned).toMatchObject([{ taskId: 'a' }]);
  });

  it('is carried out once, however often it is called', async () => {
    const reports: StopReport[] = [];
    worker.on('stopped', (report) => reports.push(report));
    expect(await worker.stop()).toEqual({ returned: [], abandoned: [] });
    await running('a');
    const first = worker.stop();
    const second = worker.stop();
    expect(second).toBe(first);
    await expect(worker.start()).rejects.toThrow(
      'Expected to start the worker, but it is stopping: await its stop() first',
    );
    end.resolve(null);
    await first;
    await worker.stop();
    expect(reports).toHaveLength(1);
  });

  it('can be followed by another start', async () => {
    worker.handle('mail', () => null);
    await waitingPoll();
    await worker.stop();
    work.offer(claimedTask('a'));
    await worker.start();
    await work.service.received(SETTLE);
    expect(work.verdicts).toEqual([['a', { type: 'succeed', result: null }]]);
  });

  it('also resolves for a caller that waits for a signal, and leaves no listener behind', async () => {
    const count = (): number => process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');
    const before = count();
    await running('a');
    const stopped = worker.stopOnSignals();
    expect(count()).toBe(before + 2);
    end.resolve(null);
    await worker.stop();
    expect(await stopped).toEqual({ returned: [], abandoned: [] });
    expect(count()).toBe(before);
  });
});
