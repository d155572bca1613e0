import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ErrorClass, PolicyChanges, TriggerDefinition } from '@waybill/client';
import { TriggerStage } from './trigger-stage.js';
import { until } from '../../support/until.js';

let stage: TriggerStage;
beforeAll(async () => {
  stage = await TriggerStage.open();
});
afterAll(() => stage.close());
beforeEach(() => stage.set());

describe('a trigger of events', () => {
  const mails = async (): Promise<readonly { to: string[]; text: string; subject: string }[]> => {
    // The first delivery defines the queue.
    const queue = await stage.service.waybill
      .queue('waybill.mail')
      .get()
      .catch(() => null);
    if (queue === null) return [];
    const { items: tasks } = await stage.service.waybill.tasks.page({ queue: 'waybill.mail' });
    const all = await Promise.all(tasks.map(({ id }) => stage.task(id)));
    return all.map(({ payload }) => (payload as { mail: { to: string[]; text: string; subject: string } }).mail);
  };
  const mailsTo = async (address: string) => (await mails()).filter(({ to }) => to.includes(address));
  const followed = async (): Promise<void> => {
    const { position } = await stage.items.pause();
    await stage.service.caughtUp('event-triggers', position);
    await stage.items.resume();
  };

  async function fail(id: string, errorClass: ErrorClass = 'application'): Promise<string> {
    const [claimed] = await stage.items.claim({ worker: 'robot', waitMs: 60_000 });
    expect(claimed!.taskId).toBe(id);
    const error = { message: 'no', class: errorClass };
    const { results } = await stage.post('/v1/settlements', {
      items: [{ taskId: id, token: claimed!.token, verdict: { type: 'fail', error } }],
    });
    return results[0].state;
  }

  it('S4-23 tells when an item has failed at the limit of its retries, and not before', async () => {
    const backoff = { kind: 'fixed', baseMs: 0, jitter: 'none' } as const;
    stage.items = stage.service.waybill.queue(`retried-${stage.number}`);
    await stage.items.define({ onFailure: 'retry', retry: { maxAttempts: 2, classes: ['application'], backoff } });
    const to = [`limit-${stage.number}@example.com`];
    await stage.trigger.define({
      event: { types: ['TaskFailed'], queue: stage.items.name, exhausted: true },
      mail: { to },
    });
    const [item] = await stage.add('a');
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
    const [business] = await stage.add('b');
    expect(await fail(business!, 'business')).toBe('failed');
    await followed();
    expect(await mailsTo(to[0]!)).toHaveLength(1);
  });

  const tellOfFailures = async (to: string[]) =>
    stage.trigger.define({ event: { types: ['TaskFailed'], queue: stage.items.name, exhausted: true }, mail: { to } });

  it('S4-23 tells of the first failure in a queue that does not retry', async () => {
    const to = [`no-retries-${stage.number}@example.com`];
    await tellOfFailures(to);
    const [item] = await stage.add('a');
    expect(await fail(item!)).toBe('failed');
    await followed();
    expect(await mailsTo(to[0]!)).toMatchObject([{ text: expect.stringContaining(item!) }]);
  });

  it.each([
    ['fail', 1],
    ['succeed', 0],
    ['requeue', 0],
  ] as const)('S4-23 tells of an item that an administrator fails, and of nothing else: %s', async (verdict, count) => {
    const to = [`overruled-${stage.number}@example.com`];
    await tellOfFailures(to);
    const [item] = await stage.add('a');
    await stage.items.claim({ worker: 'robot', waitMs: 60_000 });
    await stage.service.waybill.task(item!).overrule(verdict, 'the robot is stuck');
    await followed();
    const told = await mailsTo(to[0]!);
    expect(told).toHaveLength(count);
    for (const { text } of told) expect(text).toContain('the robot is stuck');
  });

  const BACKOFF = { kind: 'fixed', baseMs: 0, jitter: 'none' } as const;
  const claimItem = async () => (await stage.items.claim({ worker: 'robot', waitMs: 60_000 }))[0]!;
  const failItem = async (more: object = {}) => {
    const { taskId, token } = await claimItem();
    await stage.service.waybill.settle([
      { taskId, token, verdict: { type: 'fail', error: { message: 'no' }, ...more } },
    ]);
    return taskId;
  };

  it.each<[string, PolicyChanges, () => Promise<unknown>, number]>([
    ['its lease is lost too often', { maxLost: 0, leaseMs: 1_000 }, claimItem, 1],
    ['it takes too long', { maxRunMs: 1_000 }, claimItem, 1],
    [
      'it takes too long for the last time',
      { maxRunMs: 1_000, onFailure: 'retry', retry: { maxAttempts: 2, classes: ['timeout'], backoff: BACKOFF } },
      async () => [await claimItem(), await claimItem()],
      1,
    ],
    ['nobody claims it in time', { ttlMs: 1_000 }, async () => undefined, 1],
    [
      'a person decides so',
      { onFailure: 'decide' },
      async () => stage.service.waybill.task(await failItem()).decide('fail'),
      1,
    ],
    [
      'its robot says that no retry helps, before the limit',
      { onFailure: 'retry', retry: { maxAttempts: 2, backoff: BACKOFF } },
      () => failItem({ final: true }),
      0,
    ],
  ])('S4-23 tells of an item that fails at its limit, however it does: %s', async (_, policy, end, count) => {
    stage.items = stage.service.waybill.queue(`limits-${stage.number}`);
    await stage.items.define({ onFailure: 'fail', ...policy });
    const to = [`limits-${stage.number}@example.com`];
    await tellOfFailures(to);
    const [item] = await stage.add('a');
    await end();
    await until('the item to fail', async () => ((await stage.task(item!)).state === 'failed' ? true : null));
    await followed();
    expect(await mailsTo(to[0]!)).toHaveLength(count);
  });

  it('S4-23 makes one task of each event, with what it tells, whoever follows the log', async () => {
    await stage.trigger.define({
      event: { types: ['TaskSucceeded'], queue: stage.items.name },
      task: { queue: stage.jobs.name, kind: 'follow-up', payload: { for: 'audit' } },
    });
    const ids = await stage.add(1, 2);
    const claimed = await stage.items.claim({ worker: 'robot', max: 2 });
    for (const one of claimed) await stage.settle(one, 'succeed');
    const made = await stage.nextJobs(2);
    await followed();
    expect(await stage.jobsMade()).toHaveLength(2);
    const payloads = (await Promise.all(made.map((id) => stage.task(id)))).map(({ payload }) => payload);
    // Both may be made in one millisecond, so nothing tells their order.
    expect(payloads).toHaveLength(ids.length);
    for (const id of ids) {
      const event = expect.objectContaining({ type: 'waybill.TaskSucceeded', subject: `task-${id}` });
      expect(payloads).toContainEqual({ for: 'audit', event });
    }
    const { last, ...rest } = await stage.trigger.get();
    expect(made).toContain(last!.task);
    expect(rest).toMatchObject({ next: [], failure: null });
  });

  it('gives an event up whose task is refused, says why, and goes on with the next', async () => {
    await stage.trigger.define({
      event: { types: ['TaskSucceeded'], queue: stage.items.name },
      task: { queue: stage.jobs.name },
    });
    await stage.jobs.closeIntake({ reason: 'moving' });
    await stage.add(1);
    await stage.settle((await stage.items.claim({ worker: 'robot' }))[0]!, 'succeed');
    await followed();
    expect((await stage.trigger.get()).failure).toMatchObject({ problem: { code: 'INTAKE_CLOSED' }, retryAt: null });
    await stage.jobs.openIntake();
    await stage.add(2);
    await stage.settle((await stage.items.claim({ worker: 'robot' }))[0]!, 'succeed');
    await stage.nextJobs(1);
    await followed();
    expect((await stage.trigger.get()).failure).toBeNull();
  });

  it('S4-32 tells whom a trigger names once it begins to fail, and others that wait for its failure', async () => {
    const to = [`notify-${stage.number}@example.com`];
    await stage.jobs.closeIntake({ reason: 'moving' });
    await stage.add(1);
    await stage.define({ notify: { mail: { to } } });
    await until('two failures', async () => (((await stage.trigger.get()).failure?.failures ?? 0) >= 2 ? true : null));
    await followed();
    expect(await mailsTo(to[0]!)).toHaveLength(1);
    await stage.trigger.disable();
  });

  it('does nothing while it is disabled, and can be tried by hand', async () => {
    await stage.trigger.define({
      event: { types: ['TaskSucceeded'], queue: stage.items.name },
      task: { queue: stage.jobs.name },
    });
    await stage.trigger.disable();
    await stage.add(1);
    await stage.settle((await stage.items.claim({ worker: 'robot' }))[0]!, 'succeed');
    await followed();
    expect(await stage.jobsMade()).toEqual([]);
    const { id } = await stage.trigger.fire();
    expect((await stage.task(id)).payload).toMatchObject({ event: { type: 'waybill.FiredByHand' } });
  });

  it.each(['queue', 'event'] as const)(
    'is refused if it closes a circle with a trigger of another kind: %s',
    async (last) => {
      const [items, jobs] = [stage.items.name, stage.jobs.name];
      const ofItems: TriggerDefinition = { queue: items, every: 60, batchSize: 100, task: { queue: jobs } };
      const ofJobs: TriggerDefinition = { event: { types: ['TaskEnqueued'], queue: jobs }, task: { queue: items } };
      const [first, closing] = last === 'queue' ? [ofJobs, ofItems] : [ofItems, ofJobs];
      await stage.trigger.define(first);
      const other = stage.service.waybill.trigger(`closing-${stage.number}`);
      await expect(other.define(closing)).rejects.toMatchObject({ code: 'TRIGGER_CYCLE', status: 422 });
      await stage.trigger.delete();
      await other.define(closing);
      await other.delete();
    },
  );

  it('is refused to one of two that are defined at the same moment, at whatever processes', async () => {
    const { waybill } = stage.service;
    const other = await stage.service.addInstance();
    for (let pair = 0; pair < 5; pair++) {
      const [a, b] = [`${stage.items.name}-a${pair}`, `${stage.items.name}-b${pair}`];
      const from = (queue: string, to: string) => ({ event: { types: ['TaskFailed'], queue }, task: { queue: to } });
      const outcomes = await Promise.allSettled([
        waybill.trigger(`there-${a}`).define(from(a, b) as TriggerDefinition),
        other.trigger(`back-${a}`).define(from(b, a) as TriggerDefinition),
      ]);
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      expect(refused).toMatchObject([{ reason: { code: 'TRIGGER_CYCLE' } }]);
    }
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
    await expect(stage.trigger.define(terms(stage.items.name) as TriggerDefinition)).rejects.toMatchObject({ code });
  });
});
