import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type ClaimedTask,
  type ErrorClass,
  type Item,
  type QueueHandle,
  type TriggerDefinition,
  type TriggerHandle,
} from '@waybill/client';
import { startService, type RunningService } from '../../support/running-service.js';
import { until } from '../../support/until.js';

const LONG_MS = 3_600_000;

let service: RunningService;
let count = 0;
/** Every test has its own queues and trigger, of the same service. */
let items: QueueHandle;
let jobs: QueueHandle;
let trigger: TriggerHandle;

beforeAll(async () => {
  service = await startService();
  await service.addInstance();
});
afterAll(() => service.stop());
beforeEach(async () => {
  count += 1;
  items = service.waybill.queue(`items-${count}`);
  jobs = service.waybill.queue(`robots-${count}`);
  trigger = service.waybill.trigger(`trigger-${count}`);
  await items.define({ leaseMs: LONG_MS });
  await jobs.define();
});

/** A trigger that looks into the items each second. */
const define = (changes: Partial<TriggerDefinition> = {}) =>
  trigger.define({ queue: items.name, every: 1, task: { queue: jobs.name, kind: 'robot' }, ...changes });

const add = async (...payloads: readonly unknown[]): Promise<readonly string[]> => {
  const ids: string[] = [];
  for (const payload of payloads) ids.push((await items.enqueue(payload as number)).id);
  return ids;
};

const jobsMade = async (): Promise<readonly string[]> => {
  const { items: tasks } = await service.waybill.tasks.page({ queue: jobs.name });
  return tasks.sort((a, b) => a.enqueuedAt!.localeCompare(b.enqueuedAt!)).map(({ id }) => id);
};

const nextJobs = (more: number): Promise<readonly string[]> =>
  until(`${more} jobs`, async () => {
    const made = await jobsMade();
    return made.length >= more ? made : null;
  });

/** Resolves after the trigger has looked again and found nothing. */
async function lookedAgain(): Promise<void> {
  const { next } = await trigger.get();
  await until('the trigger to look again', async () => ((await trigger.get()).next[0]! > next[0]! ? true : null));
}

const post = async (path: string, body: object): Promise<any> => {
  const answer = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
};

/** Reports under the claim, and returns what the service answers about it. */
async function settle({ taskId, token }: Pick<ClaimedTask, 'taskId' | 'token'>, type: string): Promise<unknown> {
  const { results } = await post('/v1/settlements', { items: [{ taskId, token, verdict: { type } }] });
  return results[0];
}

const task = (id: string) => service.waybill.task(id).get();
const eventsOf = async (id: string): Promise<readonly string[]> =>
  (await service.waybill.task(id).history()).map(({ type }) => type);

describe('a queue trigger', () => {
  it('S4-04 has the fields of its kind, with defaults for the size of a job and the interval', async () => {
    await trigger.define({ queue: items.name, task: { queue: jobs.name } });
    expect(await trigger.get()).toMatchObject({
      state: 'enabled',
      queue: items.name,
      batchSize: 1,
      every: 30,
      task: { queue: jobs.name },
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
    await expect(trigger.define({ ...terms, task: { queue: jobs.name } })).rejects.toMatchObject(refusal);
    await expect(trigger.get()).rejects.toMatchObject({ code: 'TRIGGER_NOT_FOUND' });
  });

  it('S4-04 never fires while it is disabled, and fires again once it is enabled', async () => {
    await define();
    await trigger.disable();
    const [item] = await add(1);
    await expect(trigger.get()).resolves.toMatchObject({ state: 'disabled', next: [] });
    const other = service.waybill.trigger(`${trigger.name}-other`);
    await other.define({ queue: items.name, every: 1, task: { queue: `${jobs.name}` } });
    const [job] = await nextJobs(1);
    expect((await task(item!)).job).toBe(job);
    expect(await trigger.get()).toMatchObject({ last: null });
    await other.disable();
    await trigger.enable();
    const [next] = await add(2);
    const { last } = await until('the trigger to fire', async () => {
      const view = await trigger.get();
      return view.last ? view : null;
    });
    expect((await task(next!)).job).toBe(last!.task);
  });

  it('S4-26 stands beside one of times, which has a cron pattern', async () => {
    await trigger.define({ cron: '*/5 * * * *', timeZone: 'UTC', task: { queue: jobs.name } });
    const { next, words, queue } = await trigger.get();
    expect(next.map((time) => new Date(time).getUTCMinutes() % 5)).toEqual([0, 0, 0, 0, 0]);
    expect([words, queue]).toEqual(['Every 5 minutes', undefined]);
  });

  it('S4-25 S4-27 claims up to the size of a job, and makes one job with their ids, however many processes look', async () => {
    const [first, second, third] = await add('a', 'b', 'c');
    const before = await define({ batchSize: 2 }).then(() => trigger.get());
    const [job, another] = await nextJobs(2);
    await lookedAgain();
    expect(await jobsMade()).toEqual([job, another]);
    expect(await task(job!)).toMatchObject({ kind: 'robot', state: 'pending', items: [first, second] });
    expect(await task(another!)).toMatchObject({ items: [third] });
    for (const id of [first, second])
      expect(await task(id!)).toMatchObject({ state: 'running', job, worker: `job:${job}` });
    const [enqueued] = await service.waybill.task(job!).history();
    expect(enqueued!.envelope.actor).toBe(`trigger:${trigger.name}`);
    const { last } = await trigger.get();
    expect(Date.parse(last!.occurrence) - Date.parse(before.next[0]!)).toBe(1_000);
  });

  it('S4-28 makes no job of nothing, writes nothing, and looks again after its interval', async () => {
    await define();
    const { revision, next } = await trigger.get();
    await lookedAgain();
    await lookedAgain();
    const later = await trigger.get();
    expect(later).toMatchObject({ revision, last: null, failure: null });
    expect((Date.parse(later.next[0]!) - Date.parse(next[0]!)) % 1_000).toBe(0);
    expect(await jobsMade()).toEqual([]);
  });

  it('S4-28 S4-17 skips a queue that is paused or whose policy holds it, and goes on afterwards', async () => {
    await items.pause();
    await add(1);
    await define();
    await lookedAgain();
    expect(await jobsMade()).toEqual([]);
    await items.resume();
    await nextJobs(1);
  });

  it('S4-30 takes higher priorities first, then older items, as claims do', async () => {
    const low = await items.enqueue('low', { priority: 1 });
    const first = await items.enqueue('first', { priority: 5 });
    const second = await items.enqueue('second', { priority: 5 });
    await define({ batchSize: 3 });
    const [job] = await nextJobs(1);
    expect((await task(job!)).items).toEqual([first.id, second.id, low.id]);
  });

  it('S4-31 says which item it claimed last, and when it last made a job, which an empty look does not change', async () => {
    const [, last] = await add(1, 2);
    await define({ batchSize: 2 });
    await nextJobs(1);
    const fired = await until('the firing', async () => {
      const view = await trigger.get();
      return view.last ? view : null;
    });
    expect(fired.lastItem).toBe(last);
    const { rows } = await service.pool.query<{ at: string }>('select now()::text as at');
    expect(Math.abs(Date.parse(rows[0]!.at) - Date.parse(fired.last!.firedAt))).toBeLessThan(60_000);
    await lookedAgain();
    expect(await trigger.get()).toMatchObject({ last: fired.last, lastItem: last });
  });

  it('S4-32 says why it fails, backs off, gives back what it claimed, and goes on when the job is taken again', async () => {
    const [item] = await add(1);
    await jobs.closeIntake({ reason: 'the robots rest' });
    await define();
    const failing = (failures: number) =>
      until(`${failures} failures`, async () => {
        const { failure } = await trigger.get();
        return failure && failure.failures >= failures ? failure : null;
      });
    const first = await failing(1);
    expect(first).toMatchObject({ problem: { code: 'INTAKE_CLOSED', reason: 'the robots rest' } });
    const second = await failing(2);
    const waits = [first, second].map(({ retryAt }) => Date.parse(retryAt!));
    expect(waits[1]! - waits[0]!).toBeGreaterThanOrEqual(4_000);
    expect(await task(item!)).toMatchObject({ state: 'pending' });
    await jobs.openIntake();
    await nextJobs(1);
    expect(
      (await until('no failure', async () => ((await trigger.get()).failure ? null : trigger.get()))).last,
    ).not.toBeNull();
  });

  it('fires by hand, also while it is disabled, once for each id, and only if there is something to claim', async () => {
    await define({ batchSize: 5 });
    await trigger.disable();
    await expect(trigger.fire()).rejects.toMatchObject({ code: 'NOTHING_READY', status: 409 });
    const ids = await add(1, 2);
    const { id } = await trigger.fire({ reason: 'the customer waits' });
    expect(await trigger.fire({ id })).toMatchObject({ id, status: 'existing' });
    expect((await task(id)).items).toEqual(ids);
    expect(await trigger.get()).toMatchObject({ state: 'disabled', last: { task: id }, lastItem: ids[1] });
    expect(await jobsMade()).toEqual([id]);
  });
});

describe('the items of a job', () => {
  it('S4-39 are granted with it, settled one by one, and renewed with the job', async () => {
    const ids = await add({ no: 1 }, { no: 2 }, { no: 3 });
    await define({ batchSize: 3 });
    const [job] = await nextJobs(1);
    const [claimed] = await jobs.claim({ worker: 'robot-1', leaseMs: 60_000 });
    expect(claimed).toMatchObject({ taskId: job });
    expect(claimed!.items!.map(({ taskId, payload, leaseMs }) => [taskId, payload, leaseMs])).toEqual(
      ids.map((id, index) => [id, { no: index + 1 }, 60_000]),
    );
    const deadlines = async () =>
      (await service.pool.query<{ deadline: string }>('select deadline from leases where claim_id = $1', [job])).rows;
    const before = await deadlines();
    await post(`/v1/tasks/${job}/extend`, { token: claimed!.token });
    const after = await deadlines();
    expect(after.map(({ deadline }, index) => deadline > before[index]!.deadline)).toEqual(after.map(() => true));
  });

  it('S4-39 go with the job to its next worker, and the one before can no longer report on them', async () => {
    await add(1);
    await define();
    await nextJobs(1);
    const [first] = await jobs.claim({ worker: 'robot-1' });
    await settle(first!, 'return');
    const [second] = await jobs.claim({ worker: 'robot-2' });
    const [stale, current] = [first!.items![0]!, second!.items![0]!];
    expect(await settle(stale, 'succeed')).toMatchObject({ problem: { code: 'LEASE_LOST' } });
    expect(await settle(current, 'succeed')).toMatchObject({ state: 'succeeded' });
    expect(await eventsOf(stale.taskId)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskSucceeded']);
  });

  it('S4-39 S4-16 return to their queue if the job never starts, and the next claim has another job', async () => {
    const [item] = await add(1);
    await define({ leaseMs: 1_000 });
    const made = await nextJobs(2);
    const { job, attempt } = await until('the second claim', async () => {
      const found = await task(item!);
      return found.job === made[1] ? found : null;
    });
    expect([job, attempt]).toEqual([made[1], 2]);
    expect(await eventsOf(item!)).toEqual(expect.arrayContaining(['TaskLeaseExpired']));
    await trigger.disable();
    const claimed = await jobs.claim({ worker: 'robot-1', max: 2 });
    expect(claimed.find(({ taskId }) => taskId === made[0])!.items).toEqual([]);
  });

  it('S4-33 share their queue with workers that claim from it themselves, and nobody gets one twice', async () => {
    const ids = await add(...Array.from({ length: 60 }, (_, index) => index));
    const direct = service.waybill.worker({ name: 'direct', concurrency: 2, logger: null });
    const robots = service.waybill.worker({ name: 'robots', concurrency: 2, logger: null });
    direct.handle(items.name, () => undefined);
    robots.handle(jobs.name, async (_, run) => {
      for (const item of run.items as readonly Item[]) await item.settle();
    });
    await define({ batchSize: 10 });
    await nextJobs(1);
    await Promise.all([direct.start(), robots.start()]);
    await until('every item to be done', async () => {
      const { counts } = await items.stats();
      return counts.succeeded === ids.length ? true : null;
    });
    await Promise.all([direct.stop(), robots.stop()]);
    const histories = await Promise.all(ids.map((id) => service.waybill.task(id).history()));
    expect(histories.map((history) => history.filter(({ type }) => type === 'TaskClaimed').length)).toEqual(
      ids.map(() => 1),
    );
    const by = new Set(histories.map((history) => ('job' in history[1]!.data ? 'job' : 'direct')));
    expect([...by].sort()).toEqual(['direct', 'job']);
  });
});

describe('a trigger of events', () => {
  const mails = async (): Promise<readonly { to: string[]; text: string; subject: string }[]> => {
    // The first delivery defines the queue.
    const queue = await service.waybill
      .queue('waybill.deliveries')
      .get()
      .catch(() => null);
    if (queue === null) return [];
    const { items: tasks } = await service.waybill.tasks.page({ queue: 'waybill.deliveries' });
    const all = await Promise.all(tasks.map(({ id }) => task(id)));
    return all.map(({ payload }) => (payload as { mail: { to: string[]; text: string; subject: string } }).mail);
  };
  const mailsTo = async (address: string) => (await mails()).filter(({ to }) => to.includes(address));
  const followed = async (): Promise<void> => {
    const { position } = await items.pause();
    await service.caughtUp('event-triggers', position);
    await items.resume();
  };

  async function fail(id: string, errorClass: ErrorClass = 'application'): Promise<string> {
    const [claimed] = await items.claim({ worker: 'robot', waitMs: 10_000 });
    expect(claimed!.taskId).toBe(id);
    const error = { message: 'no', class: errorClass };
    const { results } = await post('/v1/settlements', {
      items: [{ taskId: id, token: claimed!.token, verdict: { type: 'fail', error } }],
    });
    return results[0].state;
  }

  it('S4-23 tells when an item has failed at the limit of its retries, and not before', async () => {
    const backoff = { kind: 'fixed', baseMs: 0, jitter: 'none' } as const;
    items = service.waybill.queue(`retried-${count}`);
    await items.define({ onFailure: 'retry', retry: { maxAttempts: 2, classes: ['application'], backoff } });
    const to = [`limit-${count}@example.com`];
    await trigger.define({ event: { types: ['TaskFailed'], queue: items.name, exhausted: true }, mail: { to } });
    const [item] = await add('a');
    expect(await fail(item!)).toBe('pending');
    await followed();
    expect(await mailsTo(to[0]!)).toEqual([]);
    expect(await fail(item!)).toBe('failed');
    await followed();
    const [mail, ...more] = await mailsTo(to[0]!);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ subject: expect.stringContaining('TaskFailed') });
    expect(mail!.text).toContain(item!);
    // One whose class is not retried has failed before the limit.
    const [business] = await add('b');
    expect(await fail(business!, 'business')).toBe('failed');
    await followed();
    expect(await mailsTo(to[0]!)).toHaveLength(1);
  });

  it('S4-23 makes one task of each event, with what it tells, whoever follows the log', async () => {
    await trigger.define({
      event: { types: ['TaskSucceeded'], queue: items.name },
      task: { queue: jobs.name, kind: 'follow-up', payload: { for: 'audit' } },
    });
    const ids = await add(1, 2);
    const claimed = await items.claim({ worker: 'robot', max: 2 });
    for (const one of claimed) await settle(one, 'succeed');
    const made = await nextJobs(2);
    await followed();
    expect(await jobsMade()).toHaveLength(2);
    const payloads = (await Promise.all(made.map(task))).map(({ payload }) => payload);
    // Both may be made in one millisecond, so nothing tells their order.
    expect(payloads).toHaveLength(ids.length);
    for (const id of ids) {
      const event = expect.objectContaining({ type: 'waybill.TaskSucceeded', subject: `task-${id}` });
      expect(payloads).toContainEqual({ for: 'audit', event });
    }
    const { last, ...rest } = await trigger.get();
    expect(made).toContain(last!.task);
    expect(rest).toMatchObject({ next: [], failure: null });
  });

  it('gives an event up whose task is refused, says why, and goes on with the next', async () => {
    await trigger.define({ event: { types: ['TaskSucceeded'], queue: items.name }, task: { queue: jobs.name } });
    await jobs.closeIntake({ reason: 'moving' });
    await add(1);
    await settle((await items.claim({ worker: 'robot' }))[0]!, 'succeed');
    await followed();
    expect((await trigger.get()).failure).toMatchObject({ problem: { code: 'INTAKE_CLOSED' }, retryAt: null });
    await jobs.openIntake();
    await add(2);
    await settle((await items.claim({ worker: 'robot' }))[0]!, 'succeed');
    await nextJobs(1);
    await followed();
    expect((await trigger.get()).failure).toBeNull();
  });

  it('S4-32 tells whom a trigger names once it begins to fail, and others that wait for its failure', async () => {
    const to = [`notify-${count}@example.com`];
    await jobs.closeIntake({ reason: 'moving' });
    await add(1);
    await define({ notify: { mail: { to } } });
    await until('two failures', async () => (((await trigger.get()).failure?.failures ?? 0) >= 2 ? true : null));
    await followed();
    expect(await mailsTo(to[0]!)).toHaveLength(1);
    await trigger.disable();
  });

  it('does nothing while it is disabled, and can be tried by hand', async () => {
    await trigger.define({ event: { types: ['TaskSucceeded'], queue: items.name }, task: { queue: jobs.name } });
    await trigger.disable();
    await add(1);
    await settle((await items.claim({ worker: 'robot' }))[0]!, 'succeed');
    await followed();
    expect(await jobsMade()).toEqual([]);
    const { id } = await trigger.fire();
    expect((await task(id)).payload).toMatchObject({ event: { type: 'waybill.FiredByHand' } });
  });

  it.each<[string, (queue: string) => object, string]>([
    [
      'a queue that its own tasks are in',
      (queue) => ({ event: { types: ['TaskFailed'], queue }, task: { queue } }),
      'TRIGGER_CYCLE',
    ],
    [
      'no queue, though it makes tasks',
      (queue) => ({ event: { types: ['TaskFailed'] }, task: { queue } }),
      'INVALID_INPUT',
    ],
    [
      'an unknown type',
      (queue) => ({ event: { types: ['TaskLost'], queue }, mail: { to: ['a@b.c'] } }),
      'INVALID_INPUT',
    ],
    ['nobody to tell and no task', (queue) => ({ event: { types: ['TaskFailed'], queue } }), 'INVALID_INPUT'],
    [
      'a webhook that is no address',
      (queue) => ({ event: { types: ['TaskFailed'], queue }, webhook: { url: 'ftp://x', secret: 's' } }),
      'INVALID_INPUT',
    ],
  ])('is refused with %s', async (_, terms, code) => {
    await expect(trigger.define(terms(items.name) as TriggerDefinition)).rejects.toMatchObject({ code });
  });
});
