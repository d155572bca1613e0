import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { inTime } from '../../support/in-time.js';
import { type RunningService, startService } from '../../support/running-service.js';
import { databaseTime, makeQueue, refusalOf } from './cluster-queues.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Twice the allowed delay. */
const LATE_MS = 2_000;
const RealDate = Date;

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterEach(() => {
  globalThis.Date = RealDate;
});
afterAll(() => service.stop());

/** From now on, the clock of this machine, on which the service runs, is wrong by this much. */
function shiftClock(ms: number): void {
  const now = (): number => RealDate.now() + ms;
  globalThis.Date = class extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      super(...((args.length === 0 ? [now()] : args) as [number]));
    }
    static override now = now;
  } as DateConstructor;
}

const databaseNow = (): Promise<number> => databaseTime(service.pool);

const SKEWS = [HOUR_MS, -HOUR_MS];

describe('the due time of a task', () => {
  it.each(SKEWS)(
    'S1-23 is the database’s time if neither task nor queue has one, with a clock %d ms off',
    async (skew) => {
      const queue = await makeQueue(service.waybill, 'plain');
      shiftClock(skew);
      const before = await databaseNow();
      const id = await queue.publish();
      const after = await databaseNow();
      const { scheduledFor, dueAt } = await service.waybill.task(id).get();
      expect(dueAt).toBeNull();
      expect(Date.parse(scheduledFor)).toBeGreaterThanOrEqual(Math.floor(before));
      expect(Date.parse(scheduledFor)).toBeLessThanOrEqual(after);
    },
  );

  it.each([0, ...SKEWS])(
    'S1-24 S1-26 is met by the database’s clock and within the allowed delay, with a clock %d ms off',
    async (skew) => {
      shiftClock(skew);
      await inTime('a due task to be claimed', LATE_MS, () => lateness());
    },
  );

  /** How long after its time a task was claimed, and not before. */
  async function lateness(): Promise<number> {
    const queue = await makeQueue(service.waybill, 'due');
    const due = Math.round((await databaseNow()) + 1_000);
    const { id } = await queue.handle.enqueue('soon', { dueAt: new RealDate(due).toISOString() });
    const { id: distant } = await queue.handle.enqueue('later', {
      dueAt: new RealDate(due + HOUR_MS / 2).toISOString(),
    });
    const claimedTask = await queue.take();
    expect(claimedTask.taskId).toBe(id);
    const [enqueued, claimed] = (await service.waybill.task(id).history()).map(({ recordedAt }) =>
      RealDate.parse(recordedAt),
    );
    expect(claimed).toBeGreaterThanOrEqual(due);
    expect(await queue.claim()).toBeNull();
    expect(await service.waybill.task(distant).get()).toMatchObject({ state: 'pending', waitingFor: 'due' });
    return claimed! - Math.max(due, enqueued!);
  }

  it.each(SKEWS)('S1-24 is judged by the database’s clock, with a clock %d ms off', async (skew) => {
    const queue = await makeQueue(service.waybill, 'due');
    shiftClock(skew);
    const at = async (ms: number): Promise<string> => new RealDate((await databaseNow()) + ms).toISOString();
    await queue.handle.enqueue('half an hour from now', { dueAt: await at(HOUR_MS / 2) });
    expect(await queue.claim()).toBeNull();
    const { id } = await queue.handle.enqueue('half an hour ago', { dueAt: await at(-HOUR_MS / 2) });
    expect(await queue.claim()).toMatchObject({ taskId: id });
    expect(await queue.claim()).toBeNull();
  });

  it.each(SKEWS)('S1-24 is kept for a retry, with a clock %d ms off', async (skew) => {
    const DELAY_MS = 1_000;
    const backoff = { kind: 'fixed', baseMs: DELAY_MS, jitter: 'none' } as const;
    shiftClock(skew);
    await inTime('a task to be claimed again', LATE_MS, async () => {
      const queue = await makeQueue(service.waybill, 'retried', { onFailure: 'retry', retry: { backoff } });
      const id = await queue.publish();
      await queue.fail(await queue.take());
      expect(await queue.take()).toMatchObject({ taskId: id, attempt: 2 });
      const history = await service.waybill.task(id).history();
      const [scheduled, claimed] = [history.at(-2)!, history.at(-1)!];
      expect([scheduled.type, claimed.type]).toEqual(['TaskRetryScheduled', 'TaskClaimed']);
      const [due, from, at] = [scheduled.data.dueAt as string, scheduled.recordedAt, claimed.recordedAt].map(
        RealDate.parse,
      );
      // The decision is made before it is recorded, on a busy machine long before.
      expect(due! - from!).toBeLessThanOrEqual(DELAY_MS + 100);
      expect(due! - from!).toBeGreaterThan(DELAY_MS - MINUTE_MS);
      expect(at).toBeGreaterThanOrEqual(due!);
      return at! - Math.max(due!, from!);
    });
  });

  it.each([0, ...SKEWS])(
    'S1-25 comes from the queue’s due times by the database’s clock, with a clock %d ms off',
    async (skew) => {
      // Half an hour from now, so that it does not occur during the test.
      const at = new RealDate(Math.floor((await databaseNow()) / MINUTE_MS) * MINUTE_MS + HOUR_MS / 2);
      const dueTimes = { cron: `${at.getUTCMinutes()} * * * *`, timeZone: 'UTC' };
      const queue = await makeQueue(service.waybill, 'scheduled', { dueTimes });
      shiftClock(skew);
      const id = await queue.publish();
      const next = at.toISOString();
      expect(await service.waybill.task(id).get()).toMatchObject({
        dueAt: next,
        scheduledFor: next,
        waitingFor: 'due',
      });
      expect(await queue.claim()).toBeNull();
    },
  );

  it("S1-25 is the task's own if it has one, whatever the queue’s are", async () => {
    const queue = await makeQueue(service.waybill, 'scheduled', { dueTimes: { cron: '0 0 1 1 *', timeZone: 'UTC' } });
    const dueAt = new Date((await databaseNow()) - 1_000).toISOString();
    const { id } = await queue.handle.enqueue('now', { dueAt });
    expect(await queue.take()).toMatchObject({ taskId: id });
  });

  it('S1-25 does not create another task if the same one is enqueued again after its occurrence', async () => {
    const queue = await makeQueue(service.waybill, 'scheduled', { dueTimes: { cron: '* * * * *', timeZone: 'UTC' } });
    const id = uuidv7();
    await queue.handle.enqueue('once', { id });
    await queue.changePolicy({ dueTimes: { cron: '0 0 1 1 *', timeZone: 'UTC' } });
    expect(await queue.handle.enqueue('once', { id })).toMatchObject({ id, status: 'existing' });
  });

  it('S1-25 is refused if the queue’s due times never come', async () => {
    for (const dueTimes of [
      { cron: '0 0 30 2 *', timeZone: 'UTC' },
      { cron: '0 0 * * *', timeZone: 'Nowhere/City' },
      { cron: '2030-01-01T00:00:00Z', timeZone: 'UTC' },
    ]) {
      expect(await refusalOf(makeQueue(service.waybill, 'scheduled', { dueTimes }))).toMatchObject({
        code: 'CRON_INVALID',
        status: 422,
      });
    }
  });
});
