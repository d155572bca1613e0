import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, PolicyChanges, QueueHandle, SettleVerdict } from '@waybill/client';
import { explained } from '@waybill/client/words';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;

async function make(policy: PolicyChanges = {}) {
  const queue = service.waybill.queue(`why-${++made}`);
  await queue.define(policy);
  return queue;
}

const why = (id: string) => service.waybill.task(id).why();

describe('the reason why a task is not running', () => {
  it("is that no worker has asked yet, with the task's rank", async () => {
    const queue = await make();
    const ids = [];
    for (const priority of [0, 5, 0]) ids.push((await queue.enqueue({}, { priority })).id);
    expect(await why(ids[0]!)).toMatchObject({ state: 'pending', reasons: [{ because: 'worker' }], rank: 2 });
    expect((await why(ids[1]!)).rank).toBe(1);
    expect((await why(ids[2]!)).rank).toBe(3);
  });

  it('may be its due time, or its hold', async () => {
    const queue = await make();
    const until = '2999-01-01T00:00:00.000Z';
    const due = await queue.enqueue({}, { dueAt: until });
    expect(await why(due.id)).toMatchObject({ reasons: [{ because: 'due', until }], rank: null });
    const held = await queue.enqueue();
    await service.as('olga').task(held.id).hold({ reason: 'not before the audit' });
    expect((await why(held.id)).reasons).toEqual([{ because: 'held', by: 'olga', reason: 'not before the audit' }]);
  });

  it('may be another task with its key', async () => {
    const queue = await make();
    const first = await queue.enqueue({}, { key: 'k' });
    await queue.claim({ worker: 'w1' });
    const second = await queue.enqueue({}, { key: 'k' });
    expect((await why(second.id)).reasons).toEqual([{ because: 'key', key: 'k', taskId: first.id }]);
    expect((await why(first.id)).reasons).toMatchObject([{ because: 'state', state: 'running' }]);
  });

  it('may be a failure of its key, and the task that comes first', async () => {
    const queue = await make({ duplicatePending: 'allow', onKeyFailure: 'block' });
    const first = await queue.enqueue({}, { key: 'k' });
    const [claimedTask] = await queue.claim({ worker: 'w1' });
    const error = { message: 'no space left' };
    const { taskId, token } = claimedTask!;
    await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    const second = await queue.enqueue({}, { key: 'k' });
    const blocked = { because: 'key-failure', key: 'k', taskId: first.id, state: 'failed' };
    expect((await why(second.id)).reasons).toEqual([blocked]);
    await service.waybill.task(first.id).retry();
    expect((await why(second.id)).reasons).toEqual([{ because: 'key', key: 'k', taskId: first.id }]);
  });

  it('may be its queue, together with reasons of its own', async () => {
    const awaited = await make();
    const waiting = await make({ waitsFor: [awaited.name] });
    const until = '2999-01-01T00:00:00.000Z';
    const { id } = await waiting.enqueue({}, { dueAt: until });
    expect((await why(id)).reasons).toEqual([
      { because: 'due', until },
      { because: 'queue-waiting', queues: [awaited.name] },
    ]);
    const paused = await make();
    const task = await paused.enqueue();
    await service.as('otto').queue(paused.name).pause({ reason: 'we move' });
    expect((await why(task.id)).reasons).toEqual([
      { because: 'queue-paused', by: 'otto', reason: 'we move', until: null, failure: null },
    ]);
  });

  it.each([
    ['serial', { concurrency: 'serial' }],
    ['perServer', { concurrency: { perServer: 1 } }],
    ['maxRunning', { maxRunning: 1 }],
  ] as const)('may be the tasks that use up the limits: %s', async (limit, policy) => {
    const queue = await make(policy);
    const first = await queue.enqueue();
    const second = await queue.enqueue();
    await queue.claim({ worker: 'w1', server: 's1' });
    expect((await queue.claimResult({ worker: 'w2', server: 's1' })).tasks).toEqual([]);
    expect(await why(second.id)).toMatchObject({
      reasons: [{ because: 'no-slot', limit, running: [{ taskId: first.id, worker: 'w1', server: 's1' }] }],
      rank: 1,
    });
  });

  it('may be the tasks that use up the limit of its value of a label', async () => {
    const queue = await make({ perLabel: { label: 'customer', maxRunning: 1 } });
    const first = await queue.enqueue({}, { labels: { customer: 'acme' } });
    const second = await queue.enqueue({}, { labels: { customer: 'acme' } });
    const [other, unlabelled] = [await queue.enqueue({}, { labels: { customer: 'bolt' } }), await queue.enqueue()];
    await queue.claim({ worker: 'w1', server: 's1' });
    const running = [{ taskId: first.id, worker: 'w1', server: 's1' }];
    const full = { because: 'no-slot', limit: 'perLabel', label: 'customer', labelValue: 'acme', running };
    const explanation = await why(second.id);
    expect(explanation.reasons).toEqual([full]);
    expect(explained(explanation)[0]).toBe(
      `No slot is free, because as many tasks as may run with 'customer: acme'; running: ${first.id} (w1).`,
    );
    expect((await why(other.id)).reasons).toMatchObject([{ because: 'worker' }]);
    expect((await queue.claim({ worker: 'w2', max: 10 })).map(({ taskId }) => taskId)).toEqual([
      other.id,
      unlabelled.id,
    ]);
    expect(await queue.claimResult({ worker: 'w2' })).toMatchObject({
      tasks: [],
      refusal: {
        code: 'LABEL_FULL',
        label: 'customer',
        labelValue: 'acme',
        most: 1,
        detail: `Expected room for a task of queue '${queue.name}' with the label 'customer: acme', but 1 of these are running`,
      },
    });
  });

  it('may be the turns of others in a queue with fair shares', async () => {
    const queue = await make({ fair: { label: 'tenant', weights: { acme: 2 } } });
    const of = (tenant: string) => queue.enqueue({}, { labels: { tenant } });
    await of('bolt');
    await queue.claim({ worker: 'w1' });
    const [second, third] = [await of('bolt'), await of('bolt')];
    const acme = [await of('acme'), await of('acme'), await of('acme')];
    const turns = async ({ id }: { readonly id: string }) => {
      const { reasons, rank } = await why(id);
      expect(rank).toBe(Number(reasons[0]!.turnsBefore) + 1);
      return reasons[0]!.turnsBefore;
    };
    expect(await Promise.all([second, third, ...acme].map(turns))).toEqual([2, 4, 0, 1, 3]);
    expect(explained(await why(second.id)).slice(0, 2)).toEqual([
      'It is ready to run, and 2 turns come before its own.',
      'It is number 3 in line.',
    ]);
    const order = [];
    while (order.length < 5) order.push(...(await queue.claim({ worker: 'w1' })).map(({ taskId }) => taskId));
    expect(order).toEqual([acme[0], acme[1], second, acme[2], third].map((task) => task!.id));
  });

  it('may be a rate, of the queue or of its value of a label, with the time of the next start', async () => {
    const rate = { starts: 1, perMs: 3_600_000, burst: 1 };
    const queue = await make({ rate, perLabel: { label: 'customer', rate } });
    await queue.enqueue({}, { labels: { customer: 'acme' } });
    const [alike, other] = [await queue.enqueue({}, { labels: { customer: 'acme' } }), await queue.enqueue()];
    expect(await queue.claim({ worker: 'w1', max: 5 })).toHaveLength(1);
    const until = expect.stringMatching(/^\d{4}-.*Z$/);
    const explanation = await why(other.id);
    expect(explanation.reasons).toEqual([{ because: 'rate', until }]);
    expect(explained(explanation)[0]).toMatch(/^No more tasks may start in its queue before \d{4}-.*Z\.$/);
    expect((await why(alike.id)).reasons).toEqual([
      { because: 'rate', until },
      { because: 'rate', label: 'customer', labelValue: 'acme', until },
    ]);
    expect((await queue.claimResult({ worker: 'w1' })).refusal).toMatchObject({
      code: 'RATE_REACHED',
      until,
      detail: expect.stringContaining('to allow another start, but they do so in'),
    });
  });

  describe('given a task that has ended', () => {
    const AT = expect.stringMatching(/^\d{4}-.*Z$/);
    const error = { class: 'business', message: 'no such address' } as const;

    /** One task of a new queue, claimed by w1. */
    async function running(policy: PolicyChanges = {}, options: { readonly key?: string } = {}) {
      const queue = await make(policy);
      const { id } = await queue.enqueue({}, options);
      return { queue, id, ...(await claimed(queue)) };
    }

    async function claimed(
      queue: QueueHandle,
    ): Promise<{ readonly settle: (verdict: SettleVerdict) => Promise<unknown> }> {
      const [claimedTask] = await queue.claim({ worker: 'w1', waitMs: 60_000 });
      const { taskId, token } = claimedTask!;
      return { settle: (verdict) => service.as('w1').settle([{ taskId, token, verdict }]) };
    }

    const sentences = async (id: string): Promise<string[]> =>
      explained(await why(id)).map((line) => line.replaceAll(/\d{4}-[\d-]+T[\d:.]+Z/g, 'T').replaceAll(id, 'ID'));

    it('is its failure, and that it can be retried', async () => {
      const { id, settle } = await running();
      await settle({ type: 'fail', error });
      const ended = { because: 'ended', state: 'failed', by: 'w1', at: AT, reason: null, error, final: false };
      expect((await why(id)).reasons).toEqual([{ ...ended, rule: 'on-failure', taskId: null }]);
      expect((await why(id)).allowed).toEqual(expect.arrayContaining(['RetryTask', 'AbortTask', 'DeleteTask']));
      expect(await sentences(id)).toEqual([
        'It failed at T, recorded by w1: business: no such address',
        'Its policy retries no failure.',
        'It can be retried, aborted or deleted.',
      ]);
    });

    it.each([
      [{ onFailure: 'fail' }, 'Its policy retries no failure.'],
      [
        { onFailure: 'retry', retry: { classes: ['timeout', 'bug'] } },
        'Its policy retries only failures of the class timeout or bug.',
      ],
      [
        { onFailure: 'retry', retry: { classes: ['business'], maxAttempts: 1 } },
        '1 of 1 attempts have failed, and its policy allows no more.',
      ],
    ] as const)('comes with the rule of %j by which nothing tries it again', async (policy, sentence) => {
      const { id, settle } = await running(policy as PolicyChanges);
      await settle({ type: 'fail', error });
      expect(await sentences(id)).toContain(sentence);
      const { position } = await service.eventAfter('0', { task: id, type: 'TaskFailed' });
      const { reasons } = await service.waybill.asOf(position).task(id).why();
      expect(reasons).toEqual((await why(id)).reasons);
    });

    it('names no rule that a later policy would not have followed', async () => {
      const { id, queue, settle } = await running({ onFailure: 'fail' });
      await settle({ type: 'fail', error });
      const { policyVersion } = await queue.get();
      await queue.changePolicy(
        { onFailure: 'retry', retry: { classes: ['business'], maxAttempts: 5 } },
        { ifVersion: policyVersion },
      );
      expect((await why(id)).reasons[0]).not.toHaveProperty('rule');
    });

    it('is its final failure, which cannot be retried', async () => {
      const { id, settle } = await running();
      await settle({ type: 'fail', error, final: true });
      expect((await why(id)).allowed).not.toContain('RetryTask');
      expect(await sentences(id)).toEqual([
        'It failed for good at T, recorded by w1: business: no such address',
        'It can be aborted or deleted.',
        'To do its work again, run it again as a new task.',
      ]);
    });

    it('is its failure that a person must decide on, with the possible decisions', async () => {
      const { id, settle } = await running({ onFailure: 'decide' });
      await settle({ type: 'fail', error });
      expect((await why(id)).reasons).toEqual([{ because: 'decision', at: AT, error }]);
      expect(await sentences(id)).toEqual([
        'An attempt failed at T, and the task waits for a decision: business: no such address',
        'It can be retried by a decision, failed by a decision, cancelled, aborted or deleted.',
      ]);
    });

    it('is its success', async () => {
      const { id, settle } = await running();
      await settle({ type: 'succeed' });
      expect(await sentences(id)).toEqual([
        'It succeeded at T, by w1.',
        'It can be deleted.',
        'To do its work again, run it again as a new task.',
      ]);
    });

    it('is who cancelled, aborted, overruled or deleted it, and why', async () => {
      const first = await (await make()).enqueue();
      const ann = service.as('ann');
      await ann.task(first.id).cancel({ reason: 'no need' });
      expect(await sentences(first.id)).toEqual([
        'At T ann cancelled it: no need.',
        'It can be retried, aborted or deleted.',
      ]);
      await ann.task(first.id).abort({ reason: 'never' });
      expect((await sentences(first.id))[0]).toBe('At T ann aborted it: never.');
      await ann.task(first.id).delete();
      expect(await sentences(first.id)).toEqual(['At T ann deleted it.', 'To do its work again, enqueue a new task.']);
      for (const verdict of ['succeed', 'fail'] as const) {
        const { id } = await running();
        await ann.task(id).overrule(verdict, 'it is there');
        const became = { succeed: 'succeeded', fail: 'failed' }[verdict];
        expect((await sentences(id))[0]).toBe(`At T ann overruled its worker, and it ${became}: it is there.`);
      }
    });

    it('is the success of another task with its key', async () => {
      const { queue, id, settle } = await running({}, { key: 'k' });
      await settle({ type: 'fail', error });
      const again = await queue.enqueue({}, { key: 'k' });
      await (await claimed(queue)).settle({ type: 'succeed' });
      await service.eventAfter('0', { queue: queue.name, type: 'TaskSuperseded' });
      expect((await sentences(id))[0]).toBe(`It had failed, and at T the success of task ${again.id} superseded it.`);
    });

    it('is not the cancellation while its worker is asked to stop', async () => {
      const { id, settle } = await running();
      expect((await why(id)).reasons).toMatchObject([{ because: 'state', state: 'running' }]);
      await service.as('ann').task(id).cancel({ reason: 'no need' });
      const asked = {
        because: 'cancel-requested',
        by: 'ann',
        reason: 'no need',
        at: AT,
        worker: 'w1',
        then: 'cancelled',
      };
      expect((await why(id)).reasons).toEqual([asked]);
      expect(await sentences(id)).toEqual([
        'At T ann told w1 to stop: no need. The task will be cancelled once w1 stops or the lease expires. To end it at once, abort it.',
      ]);
      await settle({ type: 'confirmCancel' });
      expect((await sentences(id))[0]).toBe('At T ann cancelled it: no need.');
    });

    it('ignores the request to cancel an earlier attempt', async () => {
      const { queue, id, settle } = await running();
      await service.as('ann').task(id).hold();
      expect((await why(id)).reasons).toMatchObject([{ because: 'cancel-requested', then: 'held' }]);
      await settle({ type: 'confirmCancel' });
      await service.waybill.task(id).release();
      await claimed(queue);
      expect((await why(id)).reasons).toMatchObject([{ because: 'state', state: 'running' }]);
    });

    it("comes with the commands that the queue's preset offers", async () => {
      const queue = service.waybill.queue(`why-${++made}`);
      await queue.define({}, { preset: 'cluster-tasks' });
      const { id } = await queue.enqueue();
      const { commands } = (await queue.get()).policy;
      expect(commands!.length).toBeGreaterThan(0);
      const { allowed } = await why(id);
      expect(allowed.filter((command) => !commands!.some((offered) => offered === command))).toEqual([]);
    });
  });

  it('is not found for a task that does not exist', async () => {
    await expect(why('019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f')).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });
});

describe('a task that waits for its retry', () => {
  const AN_HOUR: PolicyChanges['retry'] = {
    maxAttempts: 3,
    backoff: { kind: 'fixed', baseMs: 3_600_000, jitter: 'none' },
  };
  const error = { class: 'transient' as const, message: 'the printer is off' };
  const retrying = (policy: PolicyChanges = {}) => make({ onFailure: 'retry', retry: AN_HOUR, ...policy });

  /** Lets the task run at once, and its attempt fail. */
  async function failOnce(queue: QueueHandle, id: string, verdict: SettleVerdict = { type: 'fail', error }) {
    await service.waybill.task(id).reschedule(null);
    const [{ taskId, token }] = (await queue.claim({ worker: 'w1' })) as [ClaimedTask];
    await service.waybill.settle([{ taskId, token, verdict }]);
  }

  it('says which failure it retries, and which attempt of how many that was', async () => {
    const queue = await retrying();
    const { id } = await queue.enqueue();
    await failOnce(queue, id);
    const until = expect.any(String);
    const failed = { because: 'due', until, error, maxAttempts: 3 };
    expect((await why(id)).reasons).toEqual([{ ...failed, failures: 1 }]);
    await failOnce(queue, id);
    const explanation = await why(id);
    expect(explanation.reasons).toEqual([{ ...failed, failures: 2 }]);
    expect(explained(explanation)[0]).toMatch(
      /^Attempt 2 of 3 failed, and the next one is due at 20\S+: transient: the printer is off$/,
    );
  });

  it('counts from the last retry by a person', async () => {
    const queue = await retrying();
    const { id } = await queue.enqueue();
    for (let each = 0; each < 3; each++) await failOnce(queue, id);
    await service.waybill.task(id).retry();
    await failOnce(queue, id);
    expect((await why(id)).reasons).toMatchObject([{ because: 'due', failures: 1, maxAttempts: 3 }]);
  });

  it('counts within its step, if the step has a limit of its own', async () => {
    const steps = [
      'fold',
      { name: 'print', retry: { maxAttempts: null } },
      { name: 'post', retry: { maxAttempts: 5 } },
    ];
    const queue = await retrying({ steps } as PolicyChanges);
    const { id } = await queue.enqueue();
    await failOnce(queue, id);
    await failOnce(queue, id, { type: 'completeStep', step: 'fold', then: 'offer' } as SettleVerdict);
    await failOnce(queue, id);
    const explanation = await why(id);
    expect(explanation.reasons).toMatchObject([{ because: 'due', failures: 1, maxAttempts: null }]);
    expect(explained(explanation)[0]).toMatch(/^Attempt 1 failed, and the next one is due at /);
  });

  it('says that its worker vanished, and how often', async () => {
    const queue = await retrying();
    const { id } = await queue.enqueue();
    for (let each = 0; each < 2; each++) {
      await queue.claim({ worker: 'w1', leaseMs: 1_000 });
      const { position } = await service.waybill.task(id).get();
      await service.eventAfter(position, { task: id, type: 'TaskLeaseExpired' });
    }
    const explanation = await why(id);
    const lost = {
      class: 'lost',
      message: "Expected worker 'w1' to settle attempt 2 before its lease ended, but it did not",
    };
    expect(explanation.reasons).toEqual([{ because: 'due', until: expect.any(String), error: lost, failures: 2 }]);
    expect(explained(explanation)[0]).toMatch(
      /^It was lost 2 times, and is due again at 20\S+: lost: Expected worker 'w1'/,
    );
  });

  it('says nothing of a failure before a person retried it and chose when it is due', async () => {
    const queue = await retrying();
    const { id } = await queue.enqueue();
    for (let each = 0; each < 3; each++) await failOnce(queue, id);
    await service.waybill.task(id).retry();
    const until = '2999-01-01T00:00:00.000Z';
    await service.waybill.task(id).reschedule(until);
    expect((await why(id)).reasons).toEqual([{ because: 'due', until }]);
  });
});

describe('what is still open of a batch', () => {
  /** A batch of eight tasks: a pending, a running, a held, an undecided, a cancelled, a failed and two succeeded ones. */
  async function batchOfAll() {
    const queue = await make({ onFailure: 'decide' });
    const batch = await service.waybill.createBatch({ name: 'all' });
    const ids: string[] = [];
    for (let each = 0; each < 5; each++) ids.push((await queue.enqueue(each, { batch: batch.id })).id);
    await batch.open(5);
    const claimed = await queue.claim({ worker: 'w', max: 3 });
    const token = (at: number) => ({ taskId: ids[at]!, token: claimed[at]!.token });
    await service.waybill.settle([
      { ...token(0), verdict: { type: 'succeed' } },
      { ...token(1), verdict: { type: 'fail', error: { message: 'no' } } },
    ]);
    await service.waybill.task(ids[3]!).hold();
    await service.waybill.task(ids[4]!).cancel();
    return { queue: queue.name, batch };
  }

  const OPEN = [
    { state: 'cancelled', tasks: 1, commands: ['RetryTask', 'AbortTask'] },
    { state: 'held', tasks: 1, commands: ['ReleaseTask', 'AbortTask'] },
    { state: 'running', tasks: 1, commands: ['OverruleTask', 'AbortTask'] },
    { state: 'undecided', tasks: 1, commands: ['DecideRetry', 'DecideFail'] },
  ];

  it('is listed by state, with the commands that end it', async () => {
    const { queue, batch } = await batchOfAll();
    const view = await batch.get();
    expect(view.openTasks).toEqual(OPEN.map((one) => ({ queue, stateName: one.state, ...one })));
    expect(view.openTasks.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(view.open);
  });

  it('is listed for a task that waits for the batch, and in words', async () => {
    const { queue, batch } = await batchOfAll();
    const { id } = await (await make()).enqueue(null, { after: [{ batch: batch.id }] });
    const explanation = await why(id);
    expect(explanation.reasons).toMatchObject([{ because: 'prerequisites', blockers: [{ id: batch.id, open: OPEN }] }]);
    expect(explained(explanation)[0]).toContain(`1 undecided of ${queue}: decide retry or decide fail`);
  });

  it('is the task that plans it, before it is opened', async () => {
    const [planners, queue] = [await make(), await make()];
    const batch = await service.waybill.createBatch({ name: 'planned', plan: { queue: planners.name } });
    const { id } = await queue.enqueue(null, { after: [{ batch: batch.id }] });
    const planner = (await batch.get()).planner!;
    await service.waybill.task(planner).hold();
    const held = { queue: planners.name, state: 'held', tasks: 1, commands: ['ReleaseTask', 'AbortTask'] };
    expect((await batch.get()).openTasks).toMatchObject([held]);
    expect(explained(await why(id))[0]).toContain(`(planning; 1 held of ${planners.name}: release or abort)`);
    await service.waybill.task(planner).release();
    await batch.open(0);
    expect((await batch.get()).openTasks).toEqual([]);
  });

  it('is the batch itself, if nobody plans it', async () => {
    const batch = await service.waybill.createBatch({ name: 'not opened' });
    const { id } = await (await make()).enqueue(null, { after: [{ batch: batch.id }] });
    expect(explained(await why(id))[0]).toContain(`${batch.id} (planning; not opened yet: open or abort it)`);
  });

  it('is what the queue offers', async () => {
    const queue = await make({ commands: ['EnqueueTask', 'ReleaseTask', 'HoldTask'] });
    const batch = await service.waybill.createBatch({ name: 'few' });
    const { id } = await queue.enqueue(null, { batch: batch.id });
    await batch.open(1);
    await service.waybill.task(id).hold();
    expect((await batch.get()).openTasks).toMatchObject([{ state: 'held', commands: ['ReleaseTask'] }]);
    await service.waybill.task(id).release();
    expect((await batch.get()).openTasks).toMatchObject([{ state: 'pending', commands: [] }]);
  });
});

describe('a need of a resource', () => {
  const needing = async (resource: string, below: number): Promise<string> => {
    const queue = await make({ steps: [{ name: 'store', needs: [{ resource, below }] }] });
    return (await queue.enqueue()).id;
  };

  it('tells a gauge that nobody ever measured from one that is stale', async () => {
    await service.waybill.resources.define('never-measured', { unit: '%' });
    await service.waybill.resources.define('stale', { unit: '%', staleAfterSeconds: 1 });
    const never = await why(await needing('never-measured', 80));
    expect(never.reasons).toMatchObject([{ because: 'resource', value: null, measuredAt: null, never: false }]);
    expect(explained(never)[0]).toContain('which nobody has ever measured');
    await service.waybill.resources.measure('stale', 10);
    await service.pool.query(`update gauges set measured_at = now() - interval '1 hour' where resource = 'stale'`);
    const stale = await why(await needing('stale', 80));
    expect(stale.reasons).toMatchObject([{ value: null, measuredAt: expect.any(String) }]);
    expect(explained(stale)[0]).toContain('which nobody has measured since 20');
  });

  it('says if it can never be met', async () => {
    await service.waybill.resources.define('share', { unit: '%' });
    await service.waybill.resources.measure('share', 50);
    const explanation = await why(await needing('share', 0));
    expect(explanation.reasons).toMatchObject([{ because: 'resource', below: 0, value: 50, never: true }]);
    expect(explained(explanation)[0]).toContain('which a share in percent never is');
    await service.waybill.resources.define('balance', { unit: 'EUR' });
    await service.waybill.resources.measure('balance', 50);
    expect((await why(await needing('balance', 0))).reasons).toMatchObject([{ never: false }]);
  });
});

describe('a reference that is taken', () => {
  it('is refused with what frees it', async () => {
    const queue = await make({ uniqueReference: 'always' });
    await queue.enqueue(null, { reference: 'INV-1' });
    await expect(queue.enqueue(null, { reference: 'INV-1' })).rejects.toThrow(
      /the queue's uniqueReference is 'always', so only another policy frees it/,
    );
  });
});
