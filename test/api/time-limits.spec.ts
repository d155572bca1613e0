import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClaimedTask, EventView, NewTask, QueueHandle, TaskFilter, Waybill } from '@waybill/client';
import { inTransaction } from '../../src/infrastructure/database/transaction.js';
import { DueWork } from '../../src/infrastructure/sweeper/due-work.js';
import { type RunningService, startService } from '../support/running-service.js';
import { until } from '../support/until.js';

const MAX_RUN_MS = 1_000;
/** As long as a lease may be, so that it does not end before the run. */
const LEASE_MS = 12 * 3_600_000;
const HOUR_MS = 3_600_000;
const inHours = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS);

describe('time limits of tasks', () => {
  let service: RunningService;
  let queues = 0;

  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  async function queueWith(policy: Parameters<QueueHandle['define']>[0]): Promise<QueueHandle> {
    const queue = service.waybill.queue(`limits-${++queues}`);
    await queue.define(policy);
    return queue;
  }

  const claim = async (queue: QueueHandle, more: object = {}): Promise<ClaimedTask> => {
    const [task] = await queue.claim({ worker: 'w1', leaseMs: LEASE_MS, waitMs: 60_000, ...more });
    return task!;
  };

  /** Reads show it. */
  const nextOf = async (queue: QueueHandle, type: EventView['type'], after = '0'): Promise<EventView> => {
    const event = await service.eventAfter(after, { queue: queue.name, type });
    await service.waybill.task(event.stream.slice('task-'.length)).get({ minPosition: event.position });
    return event;
  };

  async function idsIn(queue: QueueHandle, filter: TaskFilter, limit = 100): Promise<string[]> {
    const ids: string[] = [];
    for await (const { id } of service.waybill.tasks.list({ ...filter, queue: queue.name }, { limit })) ids.push(id);
    return ids;
  }

  const historyOf = async (id: string): Promise<string[]> =>
    (await service.waybill.task(id).history()).map(({ type }) => type);

  const extend = async ({ taskId, token }: ClaimedTask) => {
    const [extension] = await service.waybill.extend([{ taskId, token }]);
    return extension!;
  };

  describe('the longest run time', () => {
    it('ends an attempt whose worker still sends heartbeats, as a failure under the policy', async () => {
      const queue = await queueWith({ maxRunMs: MAX_RUN_MS, onFailure: 'retry', retry: NOW });
      const { id } = await queue.enqueue();
      const task = await claim(queue);
      const { runUntil, startedAt } = await service.waybill.task(id).get();
      expect(Date.parse(runUntil!) - Date.parse(startedAt!)).toBe(MAX_RUN_MS);
      expect(task.deadline <= runUntil!).toBe(true);
      const extension = await extend(task);
      if (extension.kind === 'extended') expect(extension.deadline <= runUntil!).toBe(true);
      await nextOf(queue, 'TaskAttemptFailed');
      expect(await historyOf(id)).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskAttemptFailed', 'TaskRetryScheduled']);
      expect(await extend(task)).toMatchObject({ kind: 'lost' });
      const [late] = await service.waybill.settle([{ ...refOf(task), verdict: { type: 'succeed' } }]);
      expect(late).toMatchObject({ problem: { code: 'LEASE_LOST' } });
      const [reported] = await service.waybill.settle([{ ...refOf(task), verdict: FAILURE }]);
      expect(reported).toMatchObject({ problem: { code: 'LEASE_LOST' } });
      expect(await claim(queue)).toMatchObject({ taskId: id, attempt: 2 });
    });

    it('fails the task with a class of its own if the policy retries no more', async () => {
      const queue = await queueWith({ maxRunMs: MAX_RUN_MS });
      const { id } = await queue.enqueue(undefined, { key: 'a' });
      await claim(queue);
      await queue.enqueue(undefined, { key: 'a' });
      await nextOf(queue, 'TaskFailed');
      const { state, error, runUntil } = await service.waybill.task(id).get();
      expect({ state, runUntil }).toEqual({ state: 'failed', runUntil: null });
      expect(error).toMatchObject({
        class: 'timeout',
        message: expect.stringMatching(/^Expected worker 'w1' to end attempt 1 by /),
      });
      expect((await claim(queue)).key).toBe('a');
    });

    it('is over for one of several tasks of a claim, and not for those that ended before', async () => {
      const queue = await queueWith({ maxRunMs: HOUR_MS });
      await queue.enqueueMany([{}, {}, {}]);
      const tasks = await queue.claim({ worker: 'w1', max: 3, leaseMs: LEASE_MS });
      await service.waybill.settle([{ ...refOf(tasks[0]!), verdict: { type: 'succeed' } }]);
      await service.passTime('13 hours');
      const states = await Promise.all(
        tasks.map(async ({ taskId }) => (await service.waybill.task(taskId).get()).state),
      );
      expect(states).toEqual(['succeeded', 'failed', 'failed']);
    });

    it('has not lost the attempt whose lease ends with it, whenever the sweeper looks', async () => {
      const queue = await queueWith({ maxRunMs: HOUR_MS });
      const { id } = await queue.enqueue();
      await claim(queue);
      const found = inTransaction(service.pool, async (connection) => {
        await connection.query("update tasks set run_until = now() - interval '1 second' where task_id = $1", [id]);
        await connection.query(
          `update leases l set deadline = t.run_until from tasks t where t.task_id = $1 and l.id = t.lease`,
          [id],
        );
        const overdue = await new DueWork(connection as never).overdueLeases(100);
        throw new Error(`to undo it: ${overdue.map(({ taskId }) => taskId).join()}`);
      });
      await expect(found).rejects.toThrow(/^to undo it: $/);
    });

    it('of a step counts from the beginning of the step', async () => {
      const steps = ['fetch', { name: 'check', maxRunMs: HOUR_MS }, 'store'];
      const queue = await queueWith({ steps, maxRunMs: 2 * HOUR_MS });
      const { id } = await queue.enqueue();
      const task = await claim(queue);
      const step = (name: string) =>
        service.waybill.settle([{ ...refOf(task), verdict: { type: 'completeStep', step: name, then: 'continue' } }]);
      const ends = async () => Date.parse((await service.waybill.task(id).get()).runUntil!);
      const whole = await ends();
      await step('fetch');
      expect(await ends()).toBeLessThan(whole);
      await step('check');
      expect(await ends()).toBe(whole);
      const other = await queue.enqueue();
      await step('store');
      const stuck = await claim(queue);
      await service.waybill.settle([
        { ...refOf(stuck), verdict: { type: 'completeStep', step: 'fetch', then: 'continue' } },
      ]);
      await service.passTime('13 hours');
      expect(await service.waybill.task(other.id).get()).toMatchObject({
        state: 'failed',
        error: { class: 'timeout' },
        step: 'check',
      });
    });

    it.each(['serial', { perServer: 1 }] as const)(
      'frees the place of the task in a queue that counts: %j',
      async (concurrency) => {
        const queue = await queueWith({ concurrency, maxRunMs: MAX_RUN_MS, takeoverSeconds: 60 });
        await queue.enqueueMany([{}, {}]);
        const stuck = await claim(queue);
        const next = await claim(queue, { worker: 'w2', server: 'w1' });
        expect(next.taskId).not.toBe(stuck.taskId);
        expect((await historyOf(stuck.taskId)).slice(2)).toEqual(['TaskAttemptFailed', 'TaskFailed']);
      },
    );

    it('limits a task that was started at once', async () => {
      const queue = await queueWith({ maxRunMs: MAX_RUN_MS });
      const started = await queue.start({
        worker: 'w1',
        leaseMs: LEASE_MS,
        deadlineAt: new Date(Date.now() + 3_600_000),
      });
      await nextOf(queue, 'TaskFailed');
      expect(await service.waybill.task(started.taskId).get()).toMatchObject({ error: { class: 'timeout' } });
    });

    it('is told while the task runs, and so is for how long it has run without one', async () => {
      const [limited, free] = [await queueWith({ maxRunMs: 3_600_000 }), await queueWith({})];
      for (const queue of [limited, free]) {
        const { id } = await queue.enqueue();
        await claim(queue);
        const { startedAt, runUntil } = await service.waybill.task(id).get();
        const { reasons } = await service.waybill.task(id).why();
        expect(reasons).toEqual([
          {
            because: 'state',
            state: 'running',
            worker: 'w1',
            since: startedAt,
            ranMs: expect.any(Number),
            until: runUntil,
          },
        ]);
        expect(runUntil === null).toBe(queue === free);
      }
    });
  });

  describe('the time to live', () => {
    it('ends a task that waits, with a class of its own, and frees its key', async () => {
      const queue = await queueWith({});
      const { id } = await queue.enqueue(undefined, { key: 'a', ttlMs: 200 });
      await nextOf(queue, 'TaskFailed');
      expect(await service.waybill.task(id).get()).toMatchObject({ state: 'failed', error: { class: 'expired' } });
      expect((await queue.enqueue(undefined, { key: 'a' })).status).toBe('enqueued');
    });

    it('of a task that is due at the end of time ends there, too', async () => {
      const queue = await queueWith({ ttlMs: HOUR_MS });
      const [end, dueAt] = ['9999-12-31T23:59:59.999Z', new Date('9999-12-31T23:30:00Z')];
      const own = await queue.enqueue(undefined, { dueAt, ttlMs: 2 * HOUR_MS });
      expect(await service.waybill.task(own.id).get({ minPosition: own.position })).toMatchObject({ expiresAt: end });
      const outcomes = await queue.enqueueMany([{ dueAt }, {}]);
      expect(outcomes).toMatchObject([{ status: 'enqueued' }, { status: 'enqueued' }]);
      expect(await claim(queue)).toMatchObject({ taskId: (outcomes[1] as { id: string }).id });
    });

    it('ends what waits for any reason: held, due later, blocked, prepared or for its retry', async () => {
      const queue = await queueWith({ onFailure: 'retry', retry: LATER });
      const expiresAt = inHours(13);
      const retried = await queue.enqueue(undefined, { expiresAt });
      await service.waybill.settle([{ ...refOf(await claim(queue)), verdict: FAILURE }]);
      const first = await queue.enqueue(undefined, { hold: {} });
      const waiting = [
        retried.id,
        (await queue.enqueue(undefined, { expiresAt, hold: {} })).id,
        (await queue.enqueue(undefined, { expiresAt, dueAt: inHours(99) })).id,
        (await queue.enqueue(undefined, { expiresAt, after: [{ task: first.id }] })).id,
        (await queue.enqueue(undefined, { expiresAt, prepared: true })).id,
      ];
      await service.passTime('14 hours');
      const ended = await Promise.all(waiting.map((id) => service.waybill.task(id).get()));
      for (const { state, error } of ended)
        expect({ state, class: error?.class }).toEqual({ state: 'failed', class: 'expired' });
    });

    it('is that of the queue for tasks that name none, from their due time on', async () => {
      const queue = await queueWith({ ttlMs: 3_600_000 });
      const dueAt = '2099-01-01T00:00:00.000Z';
      const { id } = await queue.enqueue(undefined, { dueAt });
      expect((await service.waybill.task(id).get()).expiresAt).toBe('2099-01-01T01:00:00.000Z');
      const own = await queue.enqueue(undefined, { expiresAt: '2099-02-01T00:00:00.000Z' });
      expect((await service.waybill.task(own.id).get()).expiresAt).toBe('2099-02-01T00:00:00.000Z');
      await expect(queue.enqueue(undefined, { expiresAt: dueAt, ttlMs: 1 })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    });

    it('does not end a task that runs, and a person may retry one that expired', async () => {
      const queue = await queueWith({});
      const running = await queue.enqueue(undefined, { ttlMs: 60_000 });
      const task = await claim(queue);
      await service.pool.query('update tasks set expires_at = now() where task_id = $1', [running.id]);
      const other = await queue.enqueue(undefined, { ttlMs: 1 });
      await nextOf(queue, 'TaskFailed');
      await service.waybill.task(other.id).retry();
      expect(await service.waybill.task(other.id).get()).toMatchObject({ state: 'pending', expiresAt: null });
      expect(await claim(queue)).toMatchObject({ taskId: other.id });
      const [done] = await service.waybill.settle([{ ...refOf(task), verdict: { type: 'succeed' } }]);
      expect(done).not.toHaveProperty('problem');
      expect((await service.waybill.task(running.id).get()).state).toBe('succeeded');
    });

    it('lets a repeated submission be the same task', async () => {
      const queue = await queueWith({ ttlMs: 3_600_000 });
      const id = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
      expect((await queue.enqueue(undefined, { id, ttlMs: 60_000 })).status).toBe('enqueued');
      expect((await queue.enqueue(undefined, { id, ttlMs: 60_000 })).status).toBe('existing');
      await expect(queue.enqueue(undefined, { id, ttlMs: 70_000 })).rejects.toMatchObject({ code: 'TASK_EXISTS' });
    });
  });

  describe('the deadline', () => {
    it('is recorded once if the task is still open then, whatever it does', async () => {
      const queue = await queueWith({});
      const deadlineAt = new Date(Date.now() + 300);
      const [waiting, running] = [
        await queue.enqueue(undefined, { deadlineAt, hold: {} }),
        await queue.enqueue(undefined, { deadlineAt }),
      ];
      const task = await claim(queue);
      const first = await nextOf(queue, 'TaskDeadlineMissed');
      await nextOf(queue, 'TaskDeadlineMissed', first.position);
      expect(await idsIn(queue, { overdue: true })).toEqual([waiting.id, running.id]);
      await service.waybill.settle([{ ...refOf(task), verdict: { type: 'succeed' } }]);
      expect(await idsIn(queue, { overdue: true })).toEqual([waiting.id]);
      expect(await service.waybill.task(running.id).get()).toMatchObject({ state: 'succeeded', deadlineMissed: true });
      const missed = (await historyOf(running.id)).filter((type) => type === 'TaskDeadlineMissed');
      expect(missed).toHaveLength(1);
    });

    it('is not missed by a task that ended before', async () => {
      const queue = await queueWith({});
      const done = await queue.enqueue(undefined, { deadlineAt: inHours(13) });
      await service.waybill.settle([{ ...refOf(await claim(queue)), verdict: { type: 'succeed' } }]);
      const open = await queue.enqueue(undefined, { deadlineAt: inHours(13), hold: {} });
      await service.passTime('14 hours');
      expect((await service.waybill.task(open.id).get()).deadlineMissed).toBe(true);
      expect((await service.waybill.task(done.id).get()).deadlineMissed).toBe(false);
    });

    it('makes the task of a trigger that waits for it, which has a deadline and a time to live of its own', async () => {
      const [queue, told] = [await queueWith({}), await queueWith({})];
      await service.waybill.trigger(`late-${queue.name}`).define({
        event: { types: ['TaskDeadlineMissed'], queue: queue.name },
        task: { queue: told.name, ttlMs: HOUR_MS, deadlineMs: HOUR_MS },
      });
      const late = await queue.enqueue(undefined, { deadlineAt: new Date(), hold: {} });
      const made = await claim(told);
      expect(made.payload).toMatchObject({ event: { subject: `task-${late.id}` } });
      const missed = await nextOf(queue, 'TaskDeadlineMissed');
      const { deadlineAt, expiresAt } = await service.waybill.task(made.taskId).get();
      expect(Date.parse(deadlineAt!)).toBe(Date.parse(missed.recordedAt) + HOUR_MS);
      expect(expiresAt).not.toBeNull();
    });

    it('orders a list', async () => {
      const queue = await queueWith({});
      const at = async (deadlineAt?: string) => (await queue.enqueue(undefined, deadlineAt ? { deadlineAt } : {})).id;
      const [late, early, middle] = [
        await at('2099-03-01T00:00:00Z'),
        await at('2099-01-01T00:00:00Z'),
        await at('2099-02-01T00:00:00Z'),
      ];
      await at();
      expect(await idsIn(queue, { sort: 'deadline' }, 2)).toEqual([early, middle, late]);
    });
  });

  describe('a submission that replaces the payload of a waiting task', () => {
    const at = '2099-01-01T00:00:00.000Z';
    const timesOf = async (id: string) => {
      const { expiresAt, deadlineAt, deadlineMissed } = await service.waybill.task(id).get();
      return { expiresAt, deadlineAt, deadlineMissed };
    };
    const replacing = (more: object = {}) => queueWith({ duplicatePending: 'replace-payload', ...more });

    it('brings its own time limits', async () => {
      const queue = await replacing();
      const first = await queue.enqueue(1, { key: 'a', expiresAt: inHours(13), deadlineAt: inHours(13) });
      const second = await queue.enqueue(2, { key: 'a', expiresAt: at, deadlineAt: at });
      expect(second).toMatchObject({ id: first.id, status: 'replaced' });
      expect(await timesOf(first.id)).toMatchObject({ expiresAt: at, deadlineAt: at });
      await service.passTime('14 hours');
      expect(await service.waybill.task(first.id).get()).toMatchObject({ state: 'pending', deadlineMissed: false });
      const [, amended] = await service.waybill.task(first.id).history();
      expect(amended).toMatchObject({ type: 'TaskPayloadAmended', data: { expiresAt: at, deadlineAt: at } });
    });

    it('ends earlier if it says so, also with the same payload', async () => {
      const queue = await replacing({ ttlMs: HOUR_MS });
      const { id } = await queue.enqueue(1, { key: 'a' });
      expect(await queue.enqueue(1, { key: 'a', ttlMs: 1 })).toMatchObject({ id, status: 'replaced' });
      await nextOf(queue, 'TaskFailed');
      expect(await service.waybill.task(id).get()).toMatchObject({ state: 'failed', error: { class: 'expired' } });
    });

    it('leaves the limits that neither it nor its queue names', async () => {
      const queue = await replacing();
      const { id } = await queue.enqueue(1, { key: 'a', expiresAt: at, deadlineAt: at });
      await queue.enqueue(2, { key: 'a' });
      expect(await timesOf(id)).toMatchObject({ expiresAt: at, deadlineAt: at });
      expect((await queue.enqueue(2, { key: 'a', deadlineAt: at })).status).toBe('existing');
    });

    it('lives as long as its queue says, from the due time that the waiting task keeps', async () => {
      const queue = await replacing({ ttlMs: HOUR_MS });
      const { id } = await queue.enqueue(1, { key: 'a', dueAt: at, ttlMs: 1 });
      await queue.enqueue(2, { key: 'a', dueAt: inHours(1) });
      expect(await timesOf(id)).toMatchObject({ expiresAt: '2099-01-01T01:00:00.000Z' });
    });

    it('has not missed its own deadline', async () => {
      const queue = await replacing();
      const { id } = await queue.enqueue(1, { key: 'a', deadlineAt: new Date() });
      const first = await nextOf(queue, 'TaskDeadlineMissed');
      expect(await idsIn(queue, { overdue: true })).toEqual([id]);
      await queue.enqueue(2, { key: 'a', deadlineAt: at });
      expect(await timesOf(id)).toMatchObject({ deadlineAt: at, deadlineMissed: false });
      expect(await idsIn(queue, { overdue: true })).toEqual([]);
      const other = await queue.enqueue(3, { key: 'b', deadlineAt: '2098-01-01T00:00:00.000Z' });
      expect(await idsIn(queue, { sort: 'deadline' })).toEqual([other.id, id]);
      await queue.enqueue(4, { key: 'a', deadlineAt: new Date() });
      await nextOf(queue, 'TaskDeadlineMissed', first.position);
    });
  });

  type Times = Pick<NewTask, 'dueAt' | 'expiresAt' | 'ttlMs' | 'deadlineAt'>;

  /** Enqueues a task of each of these, together with other work that is committed at once. */
  const TOGETHER: Readonly<Record<string, (queue: QueueHandle, tasks: readonly Times[]) => Promise<string[]>>> = {
    'a transaction over HTTP': (queue, tasks) => inTransactionOf(service.waybill, queue, tasks),
    'a transaction in process': async (queue, tasks) => inTransactionOf(await service.embed(), queue, tasks),
    'a transaction of the database': async (queue, tasks) => {
      const enqueued = tasks.map(({ dueAt, expiresAt, ttlMs, deadlineAt }) =>
        service.pool.query<{ id: string }>(
          'select waybill.enqueue($1, due_at => $2, expires_at => $3, ttl_ms => $4, deadline_at => $5) as id',
          [queue.name, dueAt, expiresAt, ttlMs, deadlineAt],
        ),
      );
      return (await Promise.all(enqueued)).map(({ rows }) => rows[0]!.id);
    },
  };

  async function inTransactionOf(waybill: Waybill, { name }: QueueHandle, tasks: readonly Times[]): Promise<string[]> {
    const ids: string[] = [];
    await waybill.transaction(async (tx) => {
      for (const times of tasks) ids.push(tx.queue(name).enqueue(undefined, times));
    });
    return ids;
  }

  describe.each(Object.keys(TOGETHER))('the times of tasks that are enqueued in %s', (way) => {
    const enqueue = TOGETHER[way]!;
    const expiresOf = async (id: string) => (await service.waybill.task(id).get()).expiresAt;

    it('are those that the task was given, or those of its queue', async () => {
      const queue = await queueWith({ ttlMs: HOUR_MS });
      const [dueAt, at] = ['2099-01-01T00:00:00.000Z', '2099-02-01T00:00:00.000Z'];
      const tasks = [{ dueAt, expiresAt: at }, { dueAt, ttlMs: 60_000 }, { dueAt }, { dueAt, deadlineAt: at }];
      const [named, lasting, usual, due] = await enqueue(queue, tasks);
      await until('the tasks to be there', async () => ((await idsIn(queue, {})).length === 4 ? true : null));
      expect(await expiresOf(named!)).toBe(at);
      expect(await expiresOf(lasting!)).toBe('2099-01-01T00:01:00.000Z');
      expect(await expiresOf(usual!)).toBe('2099-01-01T01:00:00.000Z');
      expect((await service.waybill.task(due!).get()).deadlineAt).toBe(at);
    });

    it('end their waits and tell of missed deadlines as always', async () => {
      const queue = await queueWith({});
      const dueAt = inHours(99);
      const [id] = await enqueue(queue, [{ dueAt, deadlineAt: new Date(Date.now() + 100), ttlMs: 99 * 60_000 }]);
      const [expired] = await enqueue(queue, [{ dueAt, expiresAt: new Date(Date.now() + 100) }]);
      expect((await nextOf(queue, 'TaskDeadlineMissed')).stream).toBe(`task-${id}`);
      expect((await nextOf(queue, 'TaskFailed')).stream).toBe(`task-${expired}`);
      expect(await service.waybill.task(expired!).get()).toMatchObject({ error: { class: 'expired' } });
    });
  });

  it('of a transaction are refused if both ends of a time to live are given, and nothing is enqueued', async () => {
    const queue = await queueWith({});
    const both = { expiresAt: inHours(1), ttlMs: 1 };
    await expect(inTransactionOf(service.waybill, queue, [{}, both])).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    await expect(
      service.pool.query('select waybill.enqueue($1, expires_at => $2, ttl_ms => 1)', [queue.name, inHours(1)]),
    ).rejects.toMatchObject({ constraint: 'waybill_outbox_expires_at_or_ttl_ms_is_given' });
    expect(await idsIn(queue, {})).toEqual([]);
  });
});

const NOW = { backoff: { kind: 'fixed', baseMs: 0 } } as const;
const LATER = { backoff: { kind: 'fixed', baseMs: 3_600_000, jitter: 'none' } } as const;
const FAILURE = { type: 'fail', error: { message: 'no', class: 'transient' } } as const;

const refOf = ({ taskId, token }: ClaimedTask) => ({ taskId, token });
