import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, PolicyChanges, QueueHandle } from '@waybill/client';
import { explained } from '@waybill/client/words';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const AN_HOUR = 3_600_000;
const A_DAY = 24 * AN_HOUR;
const HOURS = { quietMs: AN_HOUR, maxMs: A_DAY };

let made = 0;
async function gathering(policy: PolicyChanges = {}): Promise<QueueHandle> {
  const queue = service.waybill.queue(`gathers-${++made}`);
  const { gather = {}, ...more } = policy;
  await queue.define({ duplicatePending: 'gather', gather: { ...HOURS, ...gather }, onFailure: 'retry', ...more });
  return queue;
}

const typesOf = async (id: string) => (await service.waybill.task(id).history()).map(({ type }) => type);
const payloadOf = async (id: string) => (await service.waybill.task(id).get()).payload;
const reasonsOf = async (id: string) => (await service.waybill.task(id).why()).reasons;

/** The next task of the queue, as soon as it is due. */
async function claimed(queue: QueueHandle): Promise<ClaimedTask> {
  const [task] = await queue.claim({ worker: 'w1', waitMs: 60_000 });
  return task!;
}

async function succeeded(queue: QueueHandle): Promise<unknown> {
  const { taskId, token, payload } = await claimed(queue);
  await service.waybill.settle([{ taskId, token, verdict: { type: 'succeed' } }]);
  return payload;
}

/** Those of the queue, whatever became of them, with as many payloads as each has. */
async function payloadsIn(queue: QueueHandle): Promise<number[]> {
  const payloads: unknown[] = [];
  for await (const { id } of service.waybill.tasks.list({ queue: queue.name })) payloads.push(await payloadOf(id));
  return payloads.map((one) => (one as unknown[]).length).sort((one, other) => other - one);
}

describe('submissions with one key to a queue that gathers', () => {
  it('are one task, with the last payload, and the answer says when it is due', async () => {
    const queue = await gathering();
    const first = await queue.enqueue(1, { key: 'a' });
    const second = await queue.enqueue(2, { key: 'a' });
    const other = await queue.enqueue(3, { key: 'b' });
    expect(first).toMatchObject({ status: 'enqueued', dueAt: expect.any(String) });
    expect(second).toMatchObject({ status: 'gathered', id: first.id, dueAt: expect.any(String) });
    expect(other.status).toBe('enqueued');
    expect(Date.parse(second.dueAt!)).toBeGreaterThanOrEqual(Date.parse(first.dueAt!));
    expect(await service.waybill.task(first.id).get()).toMatchObject({ payload: 2, dueAt: second.dueAt });
    expect(await typesOf(first.id)).toEqual(['TaskEnqueued', 'TaskSubmissionGathered']);
  });

  it('run once, with a list of all payloads, when it is quiet', async () => {
    const queue = await gathering({ gather: { quietMs: 200, payloads: 'all' } });
    for (const payload of [1, 2, 3]) await queue.enqueue(payload, { key: 'a' });
    expect(await succeeded(queue)).toEqual([1, 2, 3]);
  });

  it('are due when the first one said, however many come', async () => {
    const queue = await gathering({ gather: { quietMs: A_DAY, maxMs: AN_HOUR } });
    const first = await queue.enqueue(1, { key: 'a' });
    expect(await queue.enqueue(2, { key: 'a' })).toMatchObject({ id: first.id, dueAt: first.dueAt });
  });

  it('are gathered while they wait for a worker if no time is to pass', async () => {
    const queue = await gathering({ gather: { quietMs: 0, payloads: 'all' } });
    const { id, dueAt } = await queue.enqueue(1, { key: 'a' });
    expect(dueAt).toBeUndefined();
    expect(await queue.enqueue(2, { key: 'a' })).toMatchObject({ id, status: 'gathered' });
    expect(await succeeded(queue)).toEqual([1, 2]);
  });

  it('have another time if they say so', async () => {
    const queue = await gathering();
    const gather = { quietMs: 100, maxMs: 5_000 };
    const { id } = await queue.enqueue(1, { key: 'a', gather });
    expect(await queue.enqueue(2, { key: 'a', gather: { quietMs: 0 } })).toMatchObject({ id, status: 'gathered' });
    expect(await succeeded(queue)).toBe(2);
  });

  it('are each in one task if many come at once, whoever claims meanwhile', async () => {
    const queue = await gathering({ gather: { quietMs: 0, payloads: 'all' } });
    const sent = Array.from({ length: 60 }, (_, at) => at);
    const done: number[] = [];
    const worker = service.waybill.worker({ logger: null }).handle(queue, (_, { task }) => {
      done.push(...(task.payload as number[]));
    });
    await worker.start();
    const results = await Promise.all(sent.map((at) => queue.enqueue(at, { key: 'a', idempotencyKey: uuidv7() })));
    const ids = [...new Set(results.map(({ id }) => id))];
    await Promise.all(ids.map((id) => service.waybill.task(id).result({ timeoutMs: 120_000 })));
    await worker.stop();
    expect(done.sort((one, other) => one - other)).toEqual(sent);
  });

  it('begin the next task once a worker has the first, which may still be retried', async () => {
    const queue = await gathering({
      gather: { quietMs: 0, payloads: 'all' },
      retry: { backoff: { kind: 'fixed', baseMs: 0 } },
    });
    const first = await queue.enqueue(1, { key: 'a' });
    const { taskId, token } = await claimed(queue);
    const second = await queue.enqueue(2, { key: 'a' });
    expect(second).toMatchObject({ status: 'enqueued' });
    const error = { message: 'away', class: 'transient' as const };
    await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error } }]);
    expect(await queue.enqueue(3, { key: 'a' })).toMatchObject({ id: second.id, status: 'gathered' });
    expect([await succeeded(queue), await succeeded(queue)].sort()).toEqual([[1], [2, 3]]);
    expect(await typesOf(first.id)).toContain('TaskRetryScheduled');
  });

  it('begin the next task if they would make the list larger than a payload may be', async () => {
    const queue = await gathering({ gather: { payloads: 'all' }, limits: { payloadBytes: 50 } });
    const twelve = 'x'.repeat(10);
    const outcomes = await queue.enqueueMany(Array.from({ length: 9 }, () => ({ payload: twelve, key: 'a' })));
    expect(outcomes.every((one) => !('problem' in one))).toBe(true);
    expect(await payloadsIn(queue)).toEqual([3, 3, 3]);
  });

  it('are tasks of their own, in line, if they differ in more than payload and times', async () => {
    const queue = await gathering();
    const first = await queue.enqueue(1, { key: 'a', labels: { customer: 'acme' } });
    const labelled = await queue.enqueue(2, { key: 'a', labels: { customer: 'globex' } });
    const later = await queue.enqueue(3, { key: 'a', dueAt: '2040-01-01T00:00:00.000Z' });
    const last = await queue.enqueue(4, { key: 'a', labels: { customer: 'globex' } });
    expect(new Set([first.id, labelled.id, later.id, last.id]).size).toBe(4);
    expect((await service.waybill.task(later.id).get()).dueAt).toBe('2040-01-01T00:00:00.000Z');
  });
});

describe('a submission that is repeated', () => {
  it('under its idempotency key counts once, also when its task has run', async () => {
    const queue = await gathering({ gather: { quietMs: 100, payloads: 'all' } });
    await queue.enqueue(1, { key: 'a' });
    const once = { key: 'a', idempotencyKey: uuidv7() };
    const gathered = await queue.enqueue(2, once);
    expect(await queue.enqueue(2, once)).toMatchObject({ id: gathered.id, status: 'gathered' });
    expect(await succeeded(queue)).toEqual([1, 2]);
    expect(await queue.enqueue(2, once)).toMatchObject({ id: gathered.id, status: 'gathered' });
    await expect(queue.enqueue(3, once)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  it('with its own id counts once, also if the queue is closed by now', async () => {
    const queue = await gathering({ gather: { quietMs: 100, payloads: 'all' } });
    const [first, second] = [uuidv7(), uuidv7()];
    await queue.enqueue(1, { key: 'a', id: first });
    await queue.enqueue(2, { key: 'a', id: second });
    await queue.enqueue(2, { key: 'a', id: second });
    await queue.enqueue(1, { key: 'a', id: first });
    await expect(queue.enqueue(3, { key: 'a', id: second })).rejects.toMatchObject({ code: 'TASK_EXISTS' });
    expect(await succeeded(queue)).toEqual([1, 2]);
    await queue.closeIntake();
    expect(await queue.enqueue(2, { key: 'a', id: second })).toMatchObject({ id: first, status: 'gathered' });
  });
});

describe('why a task that gathers is not running', () => {
  it('says until when, and how many submissions it has, now and as of then', async () => {
    const queue = await gathering();
    const first = await queue.enqueue(1, { key: 'a' });
    const second = await queue.enqueue(2, { key: 'a' });
    const latest = expect.any(String);
    const task = service.waybill.task(first.id);
    expect(await reasonsOf(first.id)).toEqual([{ because: 'gathers', until: second.dueAt, latest, submissions: 2 }]);
    expect(explained(await task.why())[0]).toMatch(
      /^It gathers submissions of its key until \S+, and until \S+ at the latest if more come. It has 2 submissions.$/,
    );
    const then = service.waybill.asOf(first.position).task(first.id);
    expect((await then.why()).reasons).toEqual([{ because: 'gathers', until: first.dueAt, latest, submissions: 1 }]);
  });

  it('is the time alone once somebody has said another one', async () => {
    const queue = await gathering();
    const { id } = await queue.enqueue(1, { key: 'a' });
    await service.waybill.task(id).reschedule('2040-01-01T00:00:00.000Z');
    expect(await reasonsOf(id)).toEqual([{ because: 'due', until: '2040-01-01T00:00:00.000Z' }]);
  });
});

describe('what cannot be gathered', () => {
  it('is refused if the submission asks for it', async () => {
    const plain = service.waybill.queue(`plain-${++made}`);
    await plain.define();
    const refusal = (because: string) => ({ code: 'NOT_GATHERED', problem: { because } });
    await expect(plain.enqueue(1, { key: 'a', gather: {} })).rejects.toMatchObject(refusal('duplicatePending'));
    const queue = await gathering();
    await expect(queue.enqueue(1, { gather: {} })).rejects.toMatchObject(refusal('key'));
    const timed = { key: 'a', gather: {}, dueAt: '2040-01-01T00:00:00.000Z' };
    await expect(queue.enqueue(1, timed)).rejects.toMatchObject(refusal('dueAt'));
    await expect(queue.enqueue(1, { key: 'a', gather: {}, hold: {} })).rejects.toMatchObject(refusal('hold'));
  });

  it.each<[string, PolicyChanges]>([
    ['dueTimes', { dueTimes: { cron: '0 2 * * *', timeZone: 'UTC' } }],
    ['search', { gather: { payloads: 'all' }, search: ['order.id'] }],
    ['payloadsOutsideAboveBytes', { gather: { payloads: 'all' }, payloadsOutsideAboveBytes: 1_024 }],
  ])('is refused with the policy %s', async (beside, policy) => {
    await expect(gathering(policy)).rejects.toMatchObject({ code: 'GATHER_NOT_POSSIBLE', problem: { beside } });
  });
});

it('each task of a queue with lists has one, whatever made it', async () => {
  const queue = await gathering({ gather: { payloads: 'all', quietMs: 0 } });
  const alone = await queue.enqueue(1);
  const empty = await queue.enqueue(undefined, { key: 'b' });
  const started = await queue.start({ worker: 'w1', payload: 3 });
  expect(await Promise.all([alone.id, empty.id].map(payloadOf))).toEqual([[1], [null]]);
  expect(started.payload).toEqual([3]);
});

it('an erasure forgets what all submissions of the task were about', async () => {
  const queue = await gathering({ gather: { quietMs: 0, payloads: 'all' } });
  const labels = { customer: 'acme' };
  const { id } = await queue.enqueue('secret-1', { key: 'a', labels });
  await queue.enqueue('secret-2', { key: 'a', labels });
  await succeeded(queue);
  const { id: erasure } = await service.waybill.erase({ task: id }, 'asked for');
  await service.waybill.task(erasure!).result({ timeoutMs: 120_000 });
  const history = JSON.stringify(await service.waybill.task(id).history());
  expect(history).toContain('TaskSubmissionGathered');
  expect(history).not.toContain('secret');
});
