import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorClass, ErrorReport, PolicyChanges, QueueHandle, QueueHistory, SettleVerdict } from '@waybill/client';
import { type RunningService, startService } from '../../support/running-service.js';
import { until } from '../../support/until.js';
import { refusalOf } from '../refusal.js';

const EVER: { from: string; bucket: QueueHistory['bucket'] } = { from: '2h', bucket: '1m' };

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let defined = 0;
async function define(policy: PolicyChanges = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`robots-${++defined}`);
  await queue.define(policy);
  return queue;
}

type Verdict = 'succeed' | ErrorClass;

/** Enqueues, claims and settles an item. */
async function work(queue: QueueHandle, verdict: Verdict): Promise<{ id: string; position: string }> {
  const { id } = await queue.enqueue({ invoice: 4711 });
  return { id, position: await settleNext(queue, verdict) };
}

const settleNext = (queue: QueueHandle, verdict: Verdict): Promise<string> =>
  endNext(
    queue,
    verdict === 'succeed' ? { type: verdict } : { type: 'fail', error: { message: 'not paid', class: verdict } },
  );

async function failOne(queue: QueueHandle, error: ErrorReport): Promise<string> {
  await queue.enqueue();
  return endNext(queue, { type: 'fail', error });
}

async function endNext(queue: QueueHandle, verdict: SettleVerdict): Promise<string> {
  const [claimed] = await queue.claim({ worker: 'robot-1', max: 1, waitMs: 30_000 });
  const { taskId, token } = claimed!;
  const [receipt] = await service.waybill.settle([{ taskId, token, verdict }]);
  return (receipt as { position: string }).position;
}

/** The time from each claim to the end, as the events tell it. */
async function processed(ids: readonly string[]): Promise<number[]> {
  const histories = await Promise.all(ids.map((id) => service.waybill.task(id).history()));
  return histories.map((events) => {
    const end = events.findLast(({ type }) => ['TaskSucceeded', 'TaskFailed'].includes(type))!;
    return (end.data as { ranMs: number }).ranMs;
  });
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

describe('the stats of a queue', () => {
  it('S4-34 count NEW, IN_PROGRESS, DONE and FAILED, and no deleted item', async () => {
    const queue = await define();
    for (const verdict of ['succeed', 'succeed', 'business'] as const) await work(queue, verdict);
    const deleted = await work(queue, 'succeed');
    const running = await queue.enqueue();
    await queue.claim({ worker: 'robot-1', max: 1 });
    await queue.enqueue();
    const gone = await queue.enqueue();
    await service.waybill.task(gone.id).delete();
    const { position } = await service.waybill.task(deleted.id).delete();
    const { counts } = await queue.stats({ minPosition: position });
    expect(counts).toMatchObject({ pending: 1, running: 1, succeeded: 2, failed: 1, deleted: 2 });
    expect(sum(Object.values(counts)) - counts.deleted!).toBe(5);
    expect((await service.waybill.task(running.id).get()).state).toBe('running');
  });

  it('S4-35 split the failed items into business and the rest, which add up to FAILED', async () => {
    const queue = await define();
    let position = '0';
    for (const verdict of ['business', 'business', 'application', 'transient', 'bug', 'succeed'] as const)
      ({ position } = await work(queue, verdict));
    const { counts, failedByClass } = await queue.stats({ minPosition: position });
    expect(failedByClass).toMatchObject({ business: 2, application: 1, transient: 1, bug: 1 });
    expect(sum(Object.values(failedByClass))).toBe(counts.failed);
    const history = await queue.figures({ ...EVER, minPosition: position });
    expect(history.total.failed).toEqual(failedByClass);
  });

  it('S4-35 guess the class only where the queue asks for that, and never against one that is given', async () => {
    const [guessing, plain] = [await define({ errorClasses: 'guessed' }), await define()];
    const errors = [
      { message: 'no', details: { failure_reason: 'business' } },
      { message: 'a business rule' },
      { message: 'a business rule', class: 'transient' },
      { message: 'no', class: 'business' },
    ] as const;
    for (const [queue, failedByClass] of [
      [guessing, { business: 3, application: 0, transient: 1, bug: 0 }],
      [plain, { business: 1, application: 2, transient: 1, bug: 0 }],
    ] as const) {
      let position = '0';
      for (const error of errors) position = await failOne(queue, error);
      expect((await queue.stats({ minPosition: position })).failedByClass).toMatchObject(failedByClass);
      expect((await queue.figures({ ...EVER, minPosition: position })).total.failed).toMatchObject(failedByClass);
    }
  });

  it('S4-35 guess the class of a failure that an administrator records', async () => {
    const queue = await define({ errorClasses: 'guessed' });
    const { id } = await queue.enqueue();
    await queue.claim({ worker: 'robot-1', max: 1, waitMs: 30_000 });
    const { position } = await service.waybill.task(id).overrule('fail', 'The business is closed');
    const failed = { business: 1, application: 0, transient: 0, bug: 0 };
    expect((await queue.stats({ minPosition: position })).failedByClass).toMatchObject(failed);
    expect((await queue.figures({ ...EVER, minPosition: position })).total.failed).toMatchObject(failed);
    expect((await service.waybill.task(id).get()).error).toMatchObject({ class: 'business' });
  });

  it('S4-35 retry no error that is guessed to be of the business', async () => {
    const backoff = { kind: 'fixed', baseMs: 0 } as const;
    const queue = await define({ errorClasses: 'guessed', onFailure: 'retry', retry: { maxAttempts: 2, backoff } });
    const position = await failOne(queue, { message: 'a business rule' });
    const { counts } = await queue.stats({ minPosition: position });
    expect(counts).toMatchObject({ failed: 1, pending: 0 });
  });

  it('S4-35 forget the class of an item that no longer is FAILED', async () => {
    const queue = await define();
    const { id } = await work(queue, 'business');
    await work(queue, 'bug');
    const { position } = await service.waybill.task(id).retry();
    const { counts, failedByClass } = await queue.stats({ minPosition: position });
    expect(counts.failed).toBe(1);
    expect(failedByClass).toMatchObject({ business: 0, application: 0, transient: 0, bug: 1 });
  });

  it('S4-36 average the time from the claim until the item was DONE or FAILED', async () => {
    const queue = await define();
    const items = [await work(queue, 'succeed'), await work(queue, 'business'), await work(queue, 'succeed')];
    const times = await processed(items.map(({ id }) => id));
    const { total } = await queue.figures({ ...EVER, minPosition: items[2]!.position });
    expect(total.processingMs).toMatchObject({ count: 3, total: sum(times), max: Math.max(...times) });
  });

  it('S4-36 count an item once that is tried again, from its last claim', async () => {
    const queue = await define({
      onFailure: 'retry',
      retry: { maxAttempts: 2, backoff: { kind: 'fixed', baseMs: 0 } },
    });
    const { id } = await work(queue, 'application');
    const position = await settleNext(queue, 'application');
    const { total } = await queue.figures({ ...EVER, minPosition: position });
    const [last] = await processed([id]);
    expect(total.processingMs).toMatchObject({ count: 1, total: last });
    expect(total).toMatchObject({ claimed: 2, retried: 1, failed: { application: 1 } });
  });

  it('S4-36 count an item that failed before anybody claimed it from its creation', async () => {
    const queue = await define({ ttlMs: 1_000 });
    const { id } = await queue.enqueue();
    const view = await until('the item to fail', async () => {
      const seen = await service.waybill.task(id).get();
      return seen.state === 'failed' ? seen : null;
    });
    const { processingMs } = await queue.stats({ minPosition: view.position });
    const took = Date.parse(view.finishedAt!) - Date.parse(view.enqueuedAt!);
    // Its time began when it was decided, which on a busy machine may be long before it was stored.
    expect([processingMs.count, took > 0]).toEqual([1, true]);
    expect(Math.abs(processingMs.total - took)).toBeLessThanOrEqual(2);
  });

  const HOUR_MS = 3_600_000;

  /** As if the items had been created long before. */
  const createdEarlier = (ids: readonly string[], hours: number) =>
    service.pool.query(
      `update tasks set enqueued_at = enqueued_at - $2 * interval '1 hour' where task_id = any($1::uuid[])`,
      [ids, hours],
    );

  it('S4-36 count items that an administrator ended from their claim, and those that nobody claimed from their creation', async () => {
    const queue = await define();
    const claimed: string[] = [];
    for (const verdict of ['succeed', 'fail'] as const) {
      const { id } = await queue.enqueue();
      await createdEarlier([id], 1);
      await queue.claim({ worker: 'robot-1', max: 1, waitMs: 30_000 });
      await service.waybill.task(id).overrule(verdict, 'The robot is broken');
      claimed.push(id);
    }
    const rejected = await queue.enqueue(null, { rejected: { message: 'no tax number' } });
    const before = await queue.stats({ minPosition: rejected.position });
    expect(before.processingMs.count).toBe(3);
    expect(before.processingMs.total).toBeLessThan(HOUR_MS);
    await createdEarlier([rejected.id], 2);
    const { processingMs } = await queue.stats();
    expect(processingMs.total - before.processingMs.total).toBe(2 * HOUR_MS);
    for (const id of claimed) expect((await service.waybill.task(id).get()).startedAt).not.toBeNull();
  });

  it('S4-36 count items that were imported as DONE or FAILED from the claim of the import', async () => {
    const queue = await define();
    let position = '0';
    for (const verdict of [{ type: 'succeed' }, { type: 'fail', error: { message: 'no' } }] as const) {
      const { taskId, token } = await queue.start({
        worker: 'import-1',
        labels: { 'imported-created-at': '2020-01-01', 'imported-locked-at': '2020-01-02' },
      });
      await createdEarlier([taskId], 1);
      const [settled] = await service.waybill.settle([{ taskId, token, verdict }]);
      ({ position } = settled as { position: string });
    }
    const { processingMs } = await queue.stats({ minPosition: position });
    expect(processingMs.count).toBe(2);
    expect(processingMs.total).toBeLessThan(HOUR_MS);
  });

  it('S4-36 do not change when somebody changes an item later, and skip items that nobody claimed', async () => {
    const queue = await define();
    const { id, position } = await work(queue, 'business');
    const before = await queue.figures({ ...EVER, minPosition: position });
    await service.waybill.task(id).delete();
    const rejected = await service.waybill.task((await queue.enqueue()).id).abort();
    const after = await queue.figures({ ...EVER, minPosition: rejected.position });
    expect(after.total.processingMs).toEqual(before.total.processingMs);
    expect(after.total).toMatchObject({ succeeded: 0, failed: { business: 1 }, backlog: 0 });
  });
});

describe('the stats of a past interval', () => {
  it('S4-37 can be asked for by from, to and bucket, and survive a restart', async () => {
    const queue = await define();
    await work(queue, 'succeed');
    const { position } = await work(queue, 'transient');
    await queue.enqueue();
    await queue.enqueue();
    const later = await queue.enqueue();
    const asked = { ...EVER, to: new Date(Date.now() + 60_000), minPosition: later.position };
    const history = await queue.figures(asked);
    expect(BigInt(later.position)).toBeGreaterThan(BigInt(position));
    expect(history.total).toMatchObject({
      enqueued: 5,
      claimed: 2,
      succeeded: 1,
      failed: { transient: 1 },
      backlog: 3,
    });
    expect(history.total.waitingMs.count).toBe(2);
    const { name } = queue;
    await service.restart();
    const again = await service.waybill.queue(name).figures(asked);
    expect(again.total).toEqual(history.total);
    const busy = ({ buckets }: QueueHistory) => buckets.filter(({ enqueued, claimed }) => enqueued + claimed > 0);
    expect(busy(again)).toEqual(busy(history));
  });

  it('S4-37 have a bucket for every minute, hour or day, the same in sum, with the backlog at the end of each', async () => {
    const queue = await define();
    await queue.enqueue();
    const { position } = await work(queue, 'succeed');
    const by = (bucket: QueueHistory['bucket'], from: string) => queue.figures({ from, bucket, minPosition: position });
    const histories = [await by('1m', '2h'), await by('5m', '4h'), await by('1h', '2d'), await by('1d', '30d')];
    for (const { buckets, total, from, to } of histories) {
      expect(total).toEqual(histories[0]!.total);
      expect(sum(buckets.map(({ enqueued }) => enqueued))).toBe(2);
      expect([buckets[0]!.at, buckets[0]!.backlog, buckets.at(-1)!.backlog]).toEqual([from, 0, 1]);
      expect(buckets[0]!.at < buckets.at(-1)!.at && buckets.at(-1)!.at < to).toBe(true);
    }
  });

  it.each([
    ['an end before its begin', { from: '1h', to: '2h' }, '#/query/to', "swap 'from' and 'to'"],
    ['a bucket too fine for its range', { from: '3d', bucket: '1m' }, '#/query/bucket', "ask for '5m'"],
    ['minutes that are no longer kept', { from: '30d', to: '29d', bucket: '5m' }, '#/query/bucket', "ask for '1h'"],
  ] as const)('S4-37 with %s are refused', async (_, asked, pointer, said) => {
    const queue = await define();
    const error = await refusalOf(queue.figures(asked));
    expect(error).toMatchObject({ code: 'INVALID_INPUT', status: 400 });
    expect(error.errors).toEqual([{ pointer, detail: expect.stringContaining(said) }]);
  });

  it('S4-37 without an end are refused', async () => {
    const { name } = await define();
    const answer = await fetch(`${service.url}/v1/queues/${name}/stats?from=1h`);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { errors: [{ pointer: '#/query/to', detail: expect.stringContaining("there is no 'to'") }] },
    ]);
  });
});
