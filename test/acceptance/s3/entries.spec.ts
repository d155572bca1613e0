import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ClaimedTask,
  ExtendedLease,
  PolicyChanges,
  QueueHandle,
  SettleVerdict,
  TaskHandle,
} from '@waybill/client';
import { until } from '../../support/until.js';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../../support/running-service.js';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

let made = 0;
async function newQueue(): Promise<QueueHandle> {
  const queue = service.waybill.queue(`console-${++made}`);
  await queue.define();
  return queue;
}

async function claimOne(queue: QueueHandle): Promise<ClaimedTask> {
  const [claimedTask] = await queue.claim({ worker: 'w1' });
  return claimedTask!;
}

async function running(queue: QueueHandle): Promise<ClaimedTask> {
  await queue.enqueue();
  return claimOne(queue);
}

const bar = (title: string, position: number, end = 120) => ({ title, start: 0, end, position });

/** One entry in each of the preset's statuses, by the status. */
async function oneOfEach(): Promise<{
  readonly queue: QueueHandle;
  readonly entries: Readonly<Record<string, string>>;
}> {
  const queue = service.waybill.queue(`console-${++made}`);
  await queue.define({}, { preset: 'console' });
  const fail = { type: 'fail', error: { message: 'disk full' } } as const;
  const completed = await running(queue);
  await settle(completed, { type: 'succeed', result: null });
  const failed = await running(queue);
  await settle(failed, fail);
  const cancelled = await running(queue);
  await settle(cancelled, { type: 'cancel', reason: 'a deploy' });
  const { id: aborted } = await queue.enqueue();
  await service.waybill.task(aborted).abort();
  const { taskId } = await running(queue);
  const { id: prepared } = await queue.enqueue(null, { prepared: true });
  const { id: pending } = await queue.enqueue();
  const entries = {
    PREPARE: prepared,
    PENDING: pending,
    RUNNING: taskId,
    COMPLETED: completed.taskId,
    FAILED: failed.taskId,
    CANCELLED: cancelled.taskId,
    ABORTED: aborted,
  };
  return { queue, entries };
}

describe('the status of an entry', () => {
  const statusOf = async (id: string): Promise<string> => (await service.waybill.task(id).get()).stateName;

  it('S3-20 is one of seven', async () => {
    const { queue, entries } = await oneOfEach();
    for (const [status, id] of Object.entries(entries)) expect([status, await statusOf(id)]).toEqual([status, status]);
    const { vocabulary } = (await queue.get()).policy;
    expect(new Set(Object.values(vocabulary!))).toEqual(new Set(Object.keys(entries)));
  });

  it('S3-20 of a paused entry is PENDING, and its explanation says who paused it', async () => {
    const { entries } = await oneOfEach();
    const paused = service.as('ann').task(entries.PENDING!);
    await paused.hold({ reason: 'another one first' });
    expect(await statusOf(paused.id)).toBe('PENDING');
    expect((await paused.why()).reasons).toMatchObject([{ because: 'held', by: 'ann', reason: 'another one first' }]);
    await paused.release();
    expect(await statusOf(paused.id)).toBe('PENDING');
  });

  it('S3-21 is RUNNING from the moment in which a worker gets the entry', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    expect((await service.waybill.task(id).get()).state).toBe('pending');
    const { taskId } = await claimOne(queue);
    expect(taskId).toBe(id);
    expect(await service.waybill.task(id).get()).toMatchObject({ state: 'running', worker: 'w1' });
  });

  it.each<[string, SettleVerdict | 'abort', string]>([
    ['success', { type: 'succeed', result: null }, 'succeeded'],
    ['failure', { type: 'fail', error: { message: 'm' } }, 'failed'],
    ['cancellation', { type: 'cancel' }, 'cancelled'],
    ['abort', 'abort', 'aborted'],
  ])('S3-22 ends RUNNING in %s, and in nothing else', async (_, end, state) => {
    const queue = await newQueue();
    const claimedTask = await running(queue);
    const task = service.waybill.task(claimedTask.taskId);
    if (end === 'abort') await task.abort();
    else await settle(claimedTask, end);
    expect(await task.get()).toMatchObject({ state });
    for (const other of [
      { type: 'succeed', result: 1 },
      { type: 'fail', error: { message: 'late' } },
    ] as const) {
      if (end !== 'abort' && other.type === end.type) continue;
      expect(await settle(claimedTask, other)).toMatchObject([{ problem: { code: 'LEASE_LOST' } }]);
    }
    expect(await task.get()).toMatchObject({ state });
  });

  it('S3-22 is PENDING again after a worker vanished, with the lost attempt recorded, up to the limit', async () => {
    const queue = service.waybill.queue(`console-${++made}`);
    await queue.define({ maxLost: 1 });
    const { taskId } = await running(queue);
    await service.passTime('13 hours');
    const task = service.waybill.task(taskId);
    const [again] = await queue.claim({ worker: 'w2', waitMs: 60_000 });
    expect(again).toMatchObject({ taskId, attempt: 2 });
    await service.passTime('13 hours');
    await until('the entry to fail', async () => ((await task.get()).state === 'failed' ? true : null));
    const lost = (await task.history()).filter(({ type }) => type === 'TaskLeaseExpired');
    expect(lost.map(({ data }) => data)).toMatchObject([
      { worker: 'w1', attempt: 1 },
      { worker: 'w2', attempt: 2 },
    ]);
  });

  it('S3-33 has a record of each run, of which at most one is live', async () => {
    const queue = await newQueue();
    const tokens: string[] = [];
    const { id } = await queue.enqueue();
    for (let attempt = 1; attempt <= 3; attempt++) {
      const claimedTask = await claimOne(queue);
      expect(await queue.claim({ worker: 'w2' })).toEqual([]);
      tokens.push(claimedTask.token);
      await settle(claimedTask, { type: 'fail', error: { message: `no ${attempt}` } });
      await service.waybill.task(id).retry();
    }
    const live = await claimOne(queue);
    const answers = await service.waybill.extend([...tokens, live.token].map((token) => ({ taskId: id, token })));
    expect(answers.map(({ kind }) => kind)).toEqual(['lost', 'lost', 'lost', 'extended']);
    const history = await service.waybill.task(id).history();
    const runs = history.filter(({ type }) => type === 'TaskClaimed' || type === 'TaskAttemptFailed');
    expect(runs.map(({ type, data }) => [type, (data as { attempt: number }).attempt])).toEqual([
      ['TaskClaimed', 1],
      ['TaskAttemptFailed', 1],
      ['TaskClaimed', 2],
      ['TaskAttemptFailed', 2],
      ['TaskClaimed', 3],
      ['TaskAttemptFailed', 3],
      ['TaskClaimed', 4],
    ]);
  });
});

const settle = ({ taskId, token }: ClaimedTask, verdict: SettleVerdict) =>
  service.waybill.settle([{ taskId, token, verdict }]);

describe('the times of an entry', () => {
  const failed = { type: 'fail', error: { message: 'm', class: 'bug' } } as const;
  /** The times at which events of a type were recorded. */
  const recorded = async (id: string, type: string): Promise<string[]> =>
    (await service.waybill.task(id).history()).flatMap((event) => (event.type === type ? [event.recordedAt] : []));

  it('S3-31 are those of its last run, which both change with each run', async () => {
    const queue = await newQueue();
    const first = await running(queue);
    const task = service.waybill.task(first.taskId);
    const firstStart = (await task.get()).startedAt;
    expect([firstStart === null, (await task.get()).endedAt]).toEqual([false, null]);
    await settle(first, failed);
    const [firstEnd] = await recorded(first.taskId, 'TaskFailed');
    expect(await task.get()).toMatchObject({ startedAt: firstStart, endedAt: firstEnd });
    await task.retry();
    const second = await claimOne(queue);
    const again = await task.get();
    expect(again).toMatchObject({ state: 'running', endedAt: firstEnd });
    expect(Date.parse(again.startedAt!)).toBeGreaterThanOrEqual(Date.parse(firstEnd!));
    await settle(second, { type: 'return' });
    const [returned] = await recorded(first.taskId, 'TaskReturned');
    expect(await task.get()).toMatchObject({ state: 'pending', startedAt: again.startedAt, endedAt: returned });
  });

  type Ends = (task: TaskHandle, claimed: ClaimedTask) => Promise<unknown>;
  const told =
    (verdict: SettleVerdict): Ends =>
    (_, claimed) =>
      settle(claimed, verdict);
  const AT_ONCE = { backoff: { kind: 'fixed', baseMs: 0 } } as const;

  it.each<[string, Ends, string, string, PolicyChanges?]>([
    ['a success', told({ type: 'succeed', result: null }), 'succeeded', 'TaskSucceeded'],
    ['a cancellation', told({ type: 'cancel' }), 'cancelled', 'TaskCancelConfirmed'],
    [
      'a pause',
      async (task, claimed) => {
        await task.hold();
        await settle(claimed, { type: 'confirmCancel' });
      },
      'held',
      'TaskHeld',
    ],
    ['an abort', (task) => task.abort(), 'aborted', 'TaskAborted'],
    ['a deletion', (task) => task.delete({ force: true }), 'deleted', 'TaskDeleted'],
    ['a success by hand', (task) => task.overrule('succeed', 'seen'), 'succeeded', 'TaskOverruled'],
    ['a failure by hand', (task) => task.overrule('fail', 'seen'), 'failed', 'TaskOverruled'],
    ['another try by hand', (task) => task.overrule('requeue', 'seen'), 'pending', 'TaskOverruled'],
    [
      'another try',
      told(failed),
      'pending',
      'TaskAttemptFailed',
      { onFailure: 'retry', retry: { classes: ['bug'], ...AT_ONCE } },
    ],
    ['a failure to decide about', told(failed), 'undecided', 'TaskAttemptFailed', { onFailure: 'decide' }],
    [
      'a step that another worker goes on from',
      told({ type: 'completeStep', step: 'copy', then: 'offer' }),
      'pending',
      'TaskStepCompleted',
      { steps: ['copy', 'check'] },
    ],
    [
      'its longest time',
      (task) => until('the run to be over', async () => ((await task.get()).state === 'running' ? null : true)),
      'failed',
      'TaskAttemptFailed',
      { onFailure: 'fail', maxRunMs: 1_000 },
    ],
  ])('S3-31 end with the run, by %s', async (_, end, state, type, policy = {}) => {
    const queue = service.waybill.queue(`console-${++made}`);
    await queue.define({ onFailure: 'fail', ...policy });
    const claimed = await running(queue);
    const task = service.waybill.task(claimed.taskId);
    const { startedAt, endedAt } = await task.get();
    await end(task, claimed);
    const [ended] = await recorded(task.id, type);
    expect([endedAt, ended]).toEqual([null, expect.any(String)]);
    expect(await task.get()).toMatchObject({ state, startedAt, endedAt: ended });
  });

  it('S3-31 stay as they are while the entry waits, whatever changes', async () => {
    const queue = await newQueue();
    const claimed = await running(queue);
    const task = service.waybill.task(claimed.taskId);
    await settle(claimed, { type: 'return' });
    const { startedAt, endedAt } = await task.get();
    await task.hold();
    await task.release();
    await task.prioritise(3);
    await task.cancel();
    expect(await task.get()).toMatchObject({ state: 'cancelled', startedAt, endedAt });
  });

  it('S3-31 end with the lease of a worker that is lost', async () => {
    const queue = service.waybill.queue(`console-${++made}`);
    await queue.define({ leaseMs: 1_000 });
    const { taskId } = await running(queue);
    const task = service.waybill.task(taskId);
    const { startedAt } = await task.get();
    const after = await until('the lease to be over', async () => {
      const seen = await task.get();
      return seen.state === 'running' ? null : seen;
    });
    const [lost] = await recorded(taskId, 'TaskLeaseExpired');
    expect(lost).toEqual(expect.any(String));
    expect(after).toMatchObject({ state: 'pending', startedAt, endedAt: lost });
  });

  it('S3-29 has the fields of a task function, its description, priority, context and data of its own', async () => {
    const queue = await newQueue();
    const functions = service.waybill.functions({ queue: queue.name });
    const outer = functions.task('tape:ingest', async (_, __, folder: string) => {
      const inner = functions.task('links:make', async (_id, run, from: string, count: number) => [
        run.attempt,
        from,
        count,
      ]);
      return (await inner.apply([folder, 7], { description: 'links of the tape', labels: { ingest: '4711' } })).id;
    });
    const id = await outer('/tape');
    const entry = await service.waybill.task(id).get();
    expect(entry).toMatchObject({
      id,
      kind: 'links:make',
      payload: ['/tape', 7],
      priority: 0,
      description: 'links of the tape',
      labels: { ingest: '4711' },
      state: 'pending',
      enqueuedAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const [parent] = (await service.waybill.tasks.page({ queue: queue.name, kind: 'tape:ingest' })).items;
    const [, claim] = await service.waybill.task(parent!.id).history();
    expect(entry.context).toBe(claim!.id);
  });

  it("S3-29 names the entry of the application's audit log, beside the event within which it was made", async () => {
    const queue = await newQueue();
    const [outer, auditContext] = [await queue.enqueue(), uuidv7()];
    const [enqueued] = await service.waybill.task(outer.id).history();
    const id = uuidv7();
    const given = { id, context: enqueued!.id, auditContext };
    await queue.enqueue({}, given);
    expect(await service.waybill.task(id).get()).toMatchObject({ context: enqueued!.id, auditContext });
    expect((await service.waybill.task(id).history())[0]!.data).toMatchObject({ auditContext });
    expect(await service.waybill.task(outer.id).get()).toMatchObject({ context: null, auditContext: null });
    // Says where a submission comes from, and not what it is, as a context does.
    expect(await queue.enqueue({}, { ...given, auditContext: uuidv7() })).toMatchObject({ id, status: 'existing' });
  });

  it('S3-29 has data of its own from the beginning, which its worker gets and changes', async () => {
    const queue = await newQueue();
    const data = { ingest: 4711, tapes: ['a', 'b'] };
    const { id } = await queue.enqueue({ folder: '/tape' }, { data });
    const task = service.waybill.task(id);
    expect(await task.get()).toMatchObject({ payload: { folder: '/tape' }, data });
    const [claimed] = await queue.claim({ worker: 'w1' });
    expect(claimed).toMatchObject({ taskId: id, data });
    const { token } = claimed!;
    await service.waybill.settle([
      { taskId: id, token, verdict: { type: 'record', data: { ingest: null, done: true } } },
    ]);
    expect((await task.get()).data).toEqual({ tapes: ['a', 'b'], done: true });
    const functions = service.waybill.functions({ queue: queue.name });
    const make = functions.task('links:make', async () => null);
    const entry = await make.apply([], { data, auditContext: 'audit-1' });
    expect(await service.waybill.task(entry.id).get()).toMatchObject({ data, auditContext: 'audit-1' });
  });

  it('S3-29 refuses more data than a task may have', async () => {
    const queue = await newQueue();
    await expect(queue.enqueue({}, { data: { text: 'x'.repeat(65_536) } })).rejects.toMatchObject({
      code: 'DATA_TOO_LARGE',
    });
  });

  it('S3-29 has the time of its last change, whatever changed', async () => {
    const queue = await newQueue();
    const { id } = await queue.enqueue();
    const task = service.waybill.task(id);
    expect(await task.get()).toMatchObject({ updatedAt: (await task.get()).enqueuedAt, endedAt: null });
    await task.prioritise(7);
    const [changed] = await recorded(id, 'TaskReprioritised');
    expect(await task.get()).toMatchObject({ updatedAt: changed, endedAt: null, startedAt: null });
  });
});

describe('the progress of an entry', () => {
  const report = ({ taskId, token }: ClaimedTask, ...progress: ReturnType<typeof bar>[]) =>
    service.waybill.extend([{ taskId, token, progress }]);

  it('S3-32 has any number of records, in the task and as a percentage in lists', async () => {
    const queue = await newQueue();
    const claimedTask = await running(queue);
    const { taskId, leaseMs } = claimedTask;
    const [answer] = await report(claimedTask, bar('assets', 120), bar('links', 30), bar('checksums', 0));
    const { progress, percent, lastHeartbeatAt } = await service.waybill.task(taskId).get();
    expect(progress).toEqual([
      { ...bar('assets', 120), attempt: 1 },
      { ...bar('links', 30), attempt: 1 },
      { ...bar('checksums', 0), attempt: 1 },
    ]);
    const [listed] = await service.waybill.tasks.page({ queue: queue.name }).then(({ items }) => items);
    expect([percent, listed!.percent, listed!.lastHeartbeatAt]).toEqual([41, 41, lastHeartbeatAt]);
    expect(answer).toMatchObject({ kind: 'extended' });
    expect(Date.parse(lastHeartbeatAt!) + leaseMs).toBe(Date.parse((answer as ExtendedLease).deadline));
  });

  it('S3-32 is kept over a restart of the service, and after the run', async () => {
    const queue = await newQueue();
    const claimedTask = await running(queue);
    await report(claimedTask, bar('links', 70));
    const restarted = await service.addInstance();
    const task = restarted.task(claimedTask.taskId);
    expect((await task.get()).progress).toEqual([{ ...bar('links', 70), attempt: 1 }]);
    const verdict = { type: 'fail', error: { message: 'tape broke', class: 'bug' } } as const;
    await restarted.settle([{ taskId: claimedTask.taskId, token: claimedTask.token, verdict }]);
    expect(await task.get()).toMatchObject({ state: 'failed', percent: 58, lastHeartbeatAt: null });
  });

  it('S3-32 begins anew with the next run, which no earlier worker can change', async () => {
    const queue = await newQueue();
    const first = await running(queue);
    await report(first, bar('links', 70), bar('checksums', 3));
    const failed = { type: 'fail', error: { message: 'm', class: 'bug' } } as const;
    await service.waybill.settle([{ taskId: first.taskId, token: first.token, verdict: failed }]);
    const task = service.waybill.task(first.taskId);
    await task.retry();
    const second = await claimOne(queue);
    expect((await task.get()).percent).toBeNull();
    await report(second, bar('links', 12));
    expect(await report(first, bar('links', 99))).toMatchObject([{ kind: 'lost' }]);
    expect((await task.get()).progress).toEqual([{ ...bar('links', 12), attempt: 2 }]);
  });
});
