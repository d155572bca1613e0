import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { TriggerStage } from './trigger-stage.js';
import { until } from '../../support/until.js';

let stage: TriggerStage;
beforeAll(async () => {
  stage = await TriggerStage.open();
});
afterAll(() => stage.close());
beforeEach(() => stage.set());

const running = (...ids: readonly (string | undefined)[]) => ids.map((id) => ({ id, state: 'running' }));

describe('a queue trigger', () => {
  it('S4-04 has the fields of its kind, with defaults for the size of a job and the interval', async () => {
    await stage.trigger.define({ queue: stage.items.name, task: { queue: stage.jobs.name } });
    expect(await stage.trigger.get()).toMatchObject({
      state: 'enabled',
      queue: stage.items.name,
      batchSize: 1,
      every: 30,
      task: { queue: stage.jobs.name },
      next: [expect.any(String)],
      last: null,
      lastItem: null,
    });
  });

  it.each<[string, object, object]>([
    ['without a queue or a pattern', {}, { code: 'INVALID_INPUT' }],
    ['with both', { queue: 'items-1', cron: '* * * * *', timeZone: 'UTC' }, { code: 'INVALID_INPUT' }],
    ['with an impossible pattern', { cron: '0 0 30 2 *', timeZone: 'UTC' }, { code: 'CRON_INVALID' }],
    ['of a queue that does not exist', { queue: 'nowhere' }, { code: 'QUEUE_NOT_FOUND' }],
    ['of a reserved queue', { queue: 'waybill.deliveries' }, { code: 'QUEUE_RESERVED' }],
    ['without an interval', { queue: 'items-1', every: 0 }, { code: 'INVALID_INPUT' }],
    [
      'of times that has the size of a job',
      { cron: '* * * * *', timeZone: 'UTC', batchSize: 2 },
      { code: 'INVALID_INPUT' },
    ],
  ])('S4-04 is refused %s, and nothing changes', async (_, terms, refusal) => {
    await expect(stage.trigger.define({ ...terms, task: { queue: stage.jobs.name } })).rejects.toMatchObject(refusal);
    await expect(stage.trigger.get()).rejects.toMatchObject({ code: 'TRIGGER_NOT_FOUND' });
  });

  it('S4-04 never fires while it is disabled, and fires again once it is enabled', async () => {
    await stage.define();
    await stage.trigger.disable();
    const [item] = await stage.add(1);
    await expect(stage.trigger.get()).resolves.toMatchObject({ state: 'disabled', next: [] });
    const other = stage.service.waybill.trigger(`${stage.trigger.name}-other`);
    await other.define({ queue: stage.items.name, every: 1, task: { queue: `${stage.jobs.name}` } });
    const [job] = await stage.nextJobs(1);
    expect((await stage.task(item!)).job).toBe(job);
    expect(await stage.trigger.get()).toMatchObject({ last: null });
    await other.disable();
    await stage.trigger.enable();
    const [next] = await stage.add(2);
    const { last } = await until('the trigger to fire', async () => {
      const view = await stage.trigger.get();
      return view.last ? view : null;
    });
    expect((await stage.task(next!)).job).toBe(last!.task);
  });

  it('S4-20 makes no job of an item that is deleted', async () => {
    const [gone, stays] = await stage.add('gone', 'stays');
    await stage.service.waybill.task(gone!).delete({ reason: 'a test' });
    await stage.define({ batchSize: 10 });
    const [job] = await stage.nextJobs(1);
    await stage.lookedAgain();
    expect(await stage.jobsMade()).toEqual([job]);
    expect((await stage.task(stays!)).job).toBe(job);
    expect(await stage.eventsOf(gone!)).toEqual(['TaskEnqueued', 'TaskDeleted']);
    await stage.trigger.disable();
  });

  it('S4-26 stands beside one of times, which has a cron pattern', async () => {
    await stage.trigger.define({ cron: '*/5 * * * *', timeZone: 'UTC', task: { queue: stage.jobs.name } });
    const { next, words, queue } = await stage.trigger.get();
    expect(next.map((time) => new Date(time).getUTCMinutes() % 5)).toEqual([0, 0, 0, 0, 0]);
    expect([words, queue]).toEqual(['Every 5 minutes', undefined]);
  });

  it('S4-25 S4-27 claims up to the size of a job, and makes one job with their ids, however many processes look', async () => {
    const [first, second, third] = await stage.add('a', 'b', 'c');
    const before = await stage.define({ batchSize: 2 }).then(() => stage.trigger.get());
    const [job, another] = await stage.nextJobs(2);
    await stage.lookedAgain();
    expect(await stage.jobsMade()).toEqual([job, another]);
    expect(await stage.task(job!)).toMatchObject({ kind: 'robot', state: 'pending', items: running(first, second) });
    const item = stage.service.waybill.task(first!);
    expect((await item.why()).reasons).toEqual([{ because: 'job', taskId: job, state: 'pending' }]);
    expect(await stage.task(another!)).toMatchObject({ items: running(third) });
    for (const id of [first, second])
      expect(await stage.task(id!)).toMatchObject({ state: 'running', job, worker: `job:${job}` });
    const [enqueued] = await stage.service.waybill.task(job!).history();
    expect(enqueued!.envelope.actor).toBe(`trigger:${stage.trigger.name}`);
    const { last } = await stage.trigger.get();
    // Later looks keep step with the first, also if a slow machine leaves one out.
    const since = Date.parse(last!.occurrence) - Date.parse(before.next[0]!);
    expect([since >= 1_000, since % 1_000]).toEqual([true, 0]);
  });

  it('S4-28 makes no job of nothing, writes nothing, and looks again after its interval', async () => {
    await stage.define();
    const { revision, next } = await stage.trigger.get();
    await stage.lookedAgain();
    await stage.lookedAgain();
    const later = await stage.trigger.get();
    expect(later).toMatchObject({ revision, last: null, failure: null });
    expect((Date.parse(later.next[0]!) - Date.parse(next[0]!)) % 1_000).toBe(0);
    expect(await stage.jobsMade()).toEqual([]);
  });

  it('S4-28 S4-17 skips a queue that is paused or whose policy holds it, and goes on afterwards', async () => {
    await stage.items.pause();
    await stage.add(1);
    await stage.define();
    await stage.lookedAgain();
    expect(await stage.jobsMade()).toEqual([]);
    await stage.items.resume();
    await stage.nextJobs(1);
  });

  it('S4-30 takes higher priorities first, then older items, as claims do', async () => {
    const low = await stage.items.enqueue('low', { priority: 1 });
    const first = await stage.items.enqueue('first', { priority: 5 });
    const second = await stage.items.enqueue('second', { priority: 5 });
    await stage.define({ batchSize: 3 });
    const [job] = await stage.nextJobs(1);
    expect((await stage.task(job!)).items).toEqual(running(first.id, second.id, low.id));
  });

  it('S4-31 says which item it claimed last, and when it last made a job, which an empty look does not change', async () => {
    const [, last] = await stage.add(1, 2);
    await stage.define({ batchSize: 2 });
    await stage.nextJobs(1);
    const fired = await until('the firing', async () => {
      const view = await stage.trigger.get();
      return view.last ? view : null;
    });
    expect(fired.lastItem).toBe(last);
    const { rows } = await stage.service.pool.query<{ at: string }>('select now()::text as at');
    expect(Math.abs(Date.parse(rows[0]!.at) - Date.parse(fired.last!.firedAt))).toBeLessThan(60_000);
    await stage.lookedAgain();
    expect(await stage.trigger.get()).toMatchObject({ last: fired.last, lastItem: last });
  });

  it('S4-32 says why it fails, backs off, gives back what it claimed, and goes on when the job is taken again', async () => {
    const [item] = await stage.add(1);
    await stage.jobs.closeIntake({ reason: 'the robots rest' });
    await stage.define();
    const failing = (failures: number) =>
      until(`${failures} failures`, async () => {
        const { failure } = await stage.trigger.get();
        return failure && failure.failures >= failures ? failure : null;
      });
    const first = await failing(1);
    expect(first).toMatchObject({ problem: { code: 'INTAKE_CLOSED', reason: 'the robots rest' } });
    const second = await failing(2);
    const waits = [first, second].map(({ retryAt }) => Date.parse(retryAt!));
    expect(waits[1]! - waits[0]!).toBeGreaterThanOrEqual(4_000);
    expect(await stage.task(item!)).toMatchObject({ state: 'pending' });
    await stage.jobs.openIntake();
    await stage.nextJobs(1);
    expect(
      (await until('no failure', async () => ((await stage.trigger.get()).failure ? null : stage.trigger.get()))).last,
    ).not.toBeNull();
  });

  it('fires by hand, also while it is disabled, once for each id, and only if there is something to claim', async () => {
    await stage.defineDisabled({ batchSize: 5 });
    await expect(stage.trigger.fire()).rejects.toMatchObject({ code: 'NOTHING_READY', status: 409 });
    const ids = await stage.add(1, 2);
    const { id } = await stage.trigger.fire({ reason: 'the customer waits' });
    expect(await stage.trigger.fire({ id })).toMatchObject({ id, status: 'existing' });
    expect((await stage.task(id)).items).toEqual(running(...ids));
    expect(await stage.trigger.get()).toMatchObject({ state: 'disabled', last: { task: id }, lastItem: ids[1] });
    expect(await stage.jobsMade()).toEqual([id]);
  });

  it('records a firing by hand once for each id, also if it has fired again since', async () => {
    await stage.defineDisabled({ batchSize: 1 });
    await stage.add(1, 2, 3);
    const { id } = await stage.trigger.fire();
    const { id: other } = await stage.trigger.fire();
    expect(await stage.trigger.fire({ id })).toMatchObject({ id, status: 'existing' });
    expect(await stage.trigger.get()).toMatchObject({ last: { task: other } });
  });

  it.each<[string, number, () => Promise<unknown>]>([
    ['there is more to claim', 2, () => stage.add(3, 4)],
    ['there is nothing to claim', 2, async () => undefined],
    ['its queue takes nothing', 1, () => stage.jobs.closeIntake()],
    ['its trigger is gone', 1, () => stage.trigger.delete()],
    [
      'its trigger waits for another queue',
      1,
      () => stage.define({ queue: stage.jobs.name, task: { queue: 'items-1' } }),
    ],
  ])(
    'answers a firing by hand that is repeated under its key as the first time, also if %s by then',
    async (_, batchSize, change) => {
      await stage.defineDisabled({ batchSize });
      const ids = await stage.add(1, 2);
      const once = { idempotencyKey: uuidv7() };
      const first = await stage.trigger.fire(once);
      await change();
      expect(await stage.trigger.fire(once)).toEqual(first);
      expect((await stage.task(first.id)).items).toEqual(running(...ids.slice(0, batchSize)));
      expect(await stage.itemsIn('running')).toEqual(ids.slice(0, batchSize));
    },
  );
});
