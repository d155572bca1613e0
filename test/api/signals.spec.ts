import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type QueueHandle, type Run, type SettleVerdict, TaskFailed, WaitTimedOut } from '@waybill/client';
import { explained } from '@waybill/client/words';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(): Promise<QueueHandle> {
  const queue = service.waybill.queue(`signals-${++made}`);
  await queue.define({ onFailure: 'retry', concurrency: 'serial' });
  return queue;
}

/** Runs a worker of the queue while the test looks. */
async function whileWorking<T>(queue: QueueHandle, handler: (run: Run<any>) => unknown, look: () => Promise<T>) {
  const worker = service.waybill.worker({ logger: null }).handle(queue, (_, run) => handler(run));
  await worker.start();
  try {
    return await look();
  } finally {
    await worker.stop();
  }
}

const patient = { timeoutMs: 120_000 };
const AN_HOUR = 3_600_000;
const WAIT: SettleVerdict = { type: 'wait', signal: 'approved', number: 1, timeoutMs: AN_HOUR };

/** The type of each event of the task, and who caused it why. */
const history = async (id: string) =>
  (await service.waybill.task(id).history()).map(({ type, envelope }) => [
    type,
    envelope.actor,
    envelope.reason ?? null,
  ]);

const waits = (id: string): Promise<unknown> =>
  until(`task '${id}' to wait`, async () =>
    (await service.waybill.task(id).why()).reasons.some(({ because }) => because === 'signal') ? undefined : null,
  );

/** Claims the first task of the queue and reports on it. */
async function claimAnd(queue: QueueHandle, verdict: SettleVerdict) {
  const [task] = await queue.claim({ worker: 'w1', waitMs: 30_000 });
  const { taskId, token, attempt } = task!;
  const [settled] = await service.waybill.settle([{ taskId, token, verdict }]);
  return { taskId, token, attempt, settled: settled! };
}

describe('a handler that waits for a signal', () => {
  it('runs again when somebody gives it, with its data, and has no place meanwhile', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const attempts: number[] = [];
    const handler = async (run: Run<any>) => {
      if (run.task.taskId !== id) return 'another';
      attempts.push(run.attempt);
      const { limit } = await run.waitFor<{ limit: number }>('approved', { timeout: '1h' });
      return { approved: limit };
    };
    await whileWorking(queue, handler, async () => {
      await waits(id);
      const other = await queue.enqueue();
      expect(await service.waybill.task(other.id).result(patient)).toBe('another');
      await service.as('ann').task(id).signal('approved', { limit: 500 }, { reason: 'the customer is known' });
      expect(await service.waybill.task(id).result(patient)).toEqual({ approved: 500 });
    });
    expect(attempts).toEqual([1, 1]);
    expect(await history(id)).toMatchObject([
      ['TaskEnqueued', expect.any(String), null],
      ['TaskClaimed', expect.any(String), null],
      ['TaskWaited', expect.any(String), null],
      ['TaskSignalled', 'ann', 'the customer is known'],
      ['TaskRescheduled', 'ann', 'the customer is known'],
      ['TaskClaimed', expect.any(String), null],
      ['TaskWaitEnded', expect.any(String), null],
      ['TaskSucceeded', expect.any(String), null],
    ]);
  });

  it('goes on at once if the signal came first, and takes each once', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const task = service.waybill.task(id);
    await task.signal('page', 1);
    await task.signal('page', 2);
    const read = async (run: Run<any>) => [
      await run.waitFor('page', { timeout: '1h' }),
      await run.waitFor('page', { timeout: '1h' }),
    ];
    expect(await whileWorking(queue, read, () => task.result(patient))).toEqual([1, 2]);
    expect((await task.get()).attempt).toBe(1);
  });

  it('gets null, or fails for good, if nobody gives it in time', async () => {
    const queue = await newQueue();
    const [goesOn, fails] = [await queue.enqueue('continue'), await queue.enqueue('fail')];
    const handler = (run: Run<any>) =>
      run.waitFor('approved', { timeout: 50, onTimeout: run.task.payload as 'fail' | 'continue' });
    const failure = await whileWorking(queue, handler, async () => {
      expect(await service.waybill.task(goesOn.id).result(patient)).toBeNull();
      return service.waybill
        .task(fails.id)
        .result(patient)
        .catch((error: unknown) => error);
    });
    expect(failure).toBeInstanceOf(TaskFailed);
    const message = "Expected the signal 'approved' within 50 ms, but it did not come";
    expect(failure).toMatchObject({ task: { state: 'failed', error: { class: 'business', message } } });
    expect(new WaitTimedOut('approved', 50).message).toBe(message);
  });

  it('learns the same if it runs again before it has ended', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await service.waybill.task(id).signal('approved', 'yes');
    const { settled } = await claimAnd(queue, WAIT);
    expect(settled).toMatchObject({ state: 'running', waited: { by: 'signal', data: 'yes' } });
    await service.waybill.task(id).signal('approved', 'no');
    await service.waybill.task(id).overrule('requeue', 'its worker hangs');
    const again = await claimAnd(queue, WAIT);
    expect(again.settled).toMatchObject({ state: 'running', recorded: false, waited: { data: 'yes' } });
  });

  it('is not told what another worker learnt if it asks late', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const { taskId, token } = await claimAnd(queue, WAIT);
    await service.waybill.task(id).signal('approved', 'yes');
    await claimAnd(queue, WAIT);
    const [late] = await service.waybill.settle([{ taskId, token, verdict: WAIT }]);
    expect(late).toMatchObject({ state: 'running', recorded: false });
    expect(late).not.toHaveProperty('waited');
  });
});

it('a handler sleeps without a place, and goes on after that', async () => {
  const queue = await newQueue();
  const { id } = await queue.enqueue();
  let runs = 0;
  const handler = async (run: Run<any>) => {
    runs++;
    await run.sleep(20);
    await run.sleep('30ms');
    return 'rested';
  };
  const result = await whileWorking(queue, handler, () => service.waybill.task(id).result(patient));
  expect([result, runs]).toEqual(['rested', 3]);
});

describe('a signal', () => {
  it('is given once under an idempotency key', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const task = service.waybill.task(id);
    for (let times = 0; times < 2; times++) await task.signal('approved', 1, { idempotencyKey: `approve ${id}` });
    expect((await history(id)).map(([type]) => type)).toEqual(['TaskEnqueued', 'TaskSignalled']);
  });

  it('has data as large as a payload of the queue may be', async () => {
    const queue = await newQueue();
    const { payloadBytes } = (await queue.get()).policy.limits;
    const { id } = await queue.enqueue();
    const signalled = service.waybill.task(id).signal('approved', 'x'.repeat(payloadBytes));
    await expect(signalled).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect((await history(id)).length).toBe(1);
  });

  it('is refused by a task that can never run again', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    await service.waybill.task(id).abort();
    await expect(service.waybill.task(id).signal('approved')).rejects.toMatchObject({ code: 'ILLEGAL_TRANSITION' });
  });
});

describe('why a task waits', () => {
  it('names the signal and the end of the wait, now and as of a moment', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const task = service.waybill.task(id);
    const { settled } = await claimAnd(queue, WAIT);
    const { dueAt, attempt } = await task.get();
    const why = await task.why();
    expect(why.reasons).toEqual([{ because: 'signal', signal: 'approved', until: dueAt }]);
    expect(explained(why)).toEqual([`Its handler waits for the signal 'approved', until ${dueAt} at the latest.`]);
    expect(attempt).toBe(0);
    await task.signal('approved');
    expect((await task.why()).reasons).not.toContainEqual(expect.objectContaining({ because: 'signal' }));
    const { position } = settled as { readonly position: string };
    const then = await service.waybill.asOf(position).task(id).why();
    expect(then.reasons).toEqual([{ because: 'signal', signal: 'approved', until: dueAt }]);
  });
});

describe('a task function that waits', () => {
  it('is run anew by a worker, also after a direct call, and cleans up nothing', async () => {
    const name = `signals-${++made}`;
    await service.waybill.queue(name).define({ onFailure: 'fail' });
    const functions = service.waybill.functions({ queue: name });
    const runs: unknown[] = [];
    const order = functions.task(
      'orders:take',
      async (id, run, total: number) => {
        runs.push([run.attempt, id]);
        const { limit } = await run.waitFor<{ limit: number }>('approved', { timeout: '1h' });
        return total <= limit;
      },
      { cleanUp: () => void runs.push('cleaned up') },
    );
    const direct = await order.bg(470);
    await expect(direct.result).rejects.toMatchObject({ name: 'AbortError', reason: 'waiting' });
    await waits(direct.id);
    await service.waybill.task(direct.id).signal('approved', { limit: 500 });
    const worker = service.waybill.worker({ logger: null }).handle(functions);
    await worker.start();
    expect(await service.waybill.task(direct.id).result(patient)).toBe(true);
    await worker.stop();
    expect(runs).toEqual([
      [1, direct.id],
      [1, direct.id],
    ]);
  });
});
