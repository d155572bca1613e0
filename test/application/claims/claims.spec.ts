import { uuidv7 } from 'uuidv7';
import { NOTHING_TO_CLAIM } from '../../../src/application/claims/claim-source.port.js';
import { ClaimTasks } from '../../../src/application/claims/claim-tasks.handler.js';
import { ExpireLeases } from '../../../src/application/claims/expire-leases.handler.js';
import { ExtendLeases } from '../../../src/application/claims/extend-leases.handler.js';
import { SettleTasks, type SettleOutcome, type Verdict } from '../../../src/application/claims/settle-tasks.handler.js';
import { by, SECRET, TestApplication, typesOf } from '../application.js';

const w1 = by('w1');
const broken = { type: 'fail', error: { message: 'broken' } } as const;
let app: TestApplication;

beforeEach(async () => {
  app = await TestApplication.start();
});

const settle = (...items: [taskId: string, token: string, verdict: Verdict][]): Promise<readonly SettleOutcome[]> =>
  app.execute(
    new SettleTasks(
      items.map(([taskId, token, verdict]) => ({ taskId, token, verdict })),
      w1,
    ),
  );

const lastOf = async (task: string) => (await app.eventsOfTask(task)).at(-1)!;

it('passes a claim on unchanged', async () => {
  const { signal } = new AbortController();
  const claimId = uuidv7();
  const request = { queue: 'mail', worker: 'w1', server: 's1', max: 5, waitMs: 100, leaseMs: null, claimId, signal };
  await app.execute(new ClaimTasks({ ...request, context: w1 }));
  expect(app.claimer.requests).toMatchObject([{ ...request, context: w1 }]);
});

it('gives up on a lease that must be reset and cannot be ended', async () => {
  const reset = { taskId: uuidv7(), token: '7' };
  // A limited number, so that a loop ends.
  const answers = Array.from({ length: 9 }, () => ({ ...NOTHING_TO_CLAIM, reset }));
  jest.spyOn(app.claimer, 'claim').mockImplementation(() => Promise.resolve(answers.pop() ?? NOTHING_TO_CLAIM));
  const { signal } = new AbortController();
  const request = { queue: 'mail', worker: 'w1', server: 's1', max: 1, waitMs: 0, leaseMs: null, signal, context: w1 };
  const claim = app.execute(new ClaimTasks({ ...request, claimId: uuidv7() }));
  await expect(claim).rejects.toThrow('no run, and the overdue lease 7');
});

describe('a settlement', () => {
  it.each<[Verdict, string, string[]]>([
    [{ type: 'succeed', result: 1 }, 'succeeded', ['TaskSucceeded']],
    [broken, 'failed', ['TaskAttemptFailed', 'TaskFailed']],
    [{ type: 'reportError', error: { message: 'hm' } }, 'running', ['TaskErrorReported']],
    [{ type: 'return' }, 'pending', ['TaskReturned']],
    [{ type: 'return', afterMs: 60_000 }, 'pending', ['TaskReturned', 'TaskRescheduled']],
  ])('of %j leaves the task %s', async (verdict, state, types) => {
    await app.defineQueue('mail');
    const task = await app.enqueued({ queue: 'mail' });
    const [outcome] = await settle([task, await app.claimed(task, '1'), verdict]);
    expect(outcome).toMatchObject({ kind: 'done', state, receipt: { id: task, recorded: true } });
    expect(typesOf(await app.eventsOfTask(task)).slice(2)).toEqual(types);
  });

  it('completes the steps in order', async () => {
    await app.defineQueue('mail', { steps: ['a', 'b'] });
    const task = await app.enqueued({ queue: 'mail' });
    const token = await app.claimed(task, '1');
    const [first] = await settle([task, token, { type: 'completeStep', step: 'a', then: 'continue' }]);
    const [last] = await settle([task, token, { type: 'completeStep', step: 'b', then: 'continue' }]);
    expect([first, last]).toMatchObject([{ state: 'running' }, { state: 'succeeded' }]);
  });

  it('repeated by its worker is already done', async () => {
    await app.defineQueue('mail');
    const task = await app.enqueued({ queue: 'mail' });
    const token = await app.claimed(task, '1');
    await settle([task, token, { type: 'succeed' }]);
    const [again] = await settle([task, token, { type: 'succeed' }]);
    expect(again).toMatchObject({ kind: 'done', state: 'succeeded', receipt: { recorded: false } });
  });

  it('is decided by the policy of its queue, and records its version', async () => {
    await app.defineQueue('mail', {
      onFailure: 'retry',
      retry: { backoff: { kind: 'fixed', baseMs: 1_000, jitter: 'none' } },
    });
    const task = await app.enqueued({ queue: 'mail' });
    const [outcome] = await settle([task, await app.claimed(task, '1'), broken]);
    expect(outcome).toMatchObject({ state: 'pending' });
    expect(await lastOf(task)).toMatchObject({ event: { type: 'TaskRetryScheduled' }, envelope: { policyVersion: 1 } });
    const [attempt] = (await app.eventsOfTask(task)).slice(-2);
    expect(attempt!.event.data).toMatchObject({ error: { message: 'broken', class: 'application' } });
  });

  it('fails if another task waits for the same key (S0-42)', async () => {
    await app.defineQueue('mail', { onFailure: 'retry' });
    const task = await app.enqueued({ queue: 'mail', key: 'k' });
    const token = await app.claimed(task, '1');
    const waiting = await app.enqueued({ queue: 'mail', key: 'k' });
    expect(await settle([task, token, broken])).toMatchObject([{ kind: 'done', state: 'failed' }]);
    expect((await lastOf(task)).event).toMatchObject({ type: 'TaskFailed', data: { conflictingTaskId: waiting } });
  });

  it('answers each item independently, in order', async () => {
    await app.defineQueue('mail');
    const [one, two] = [await app.enqueued({ queue: 'mail' }), await app.enqueued({ queue: 'mail' })];
    const token = await app.claimed(one, '1');
    const ok = { type: 'succeed' } as const;
    const outcomes = await settle([two, `1.${SECRET}`, ok], [one, token, ok], [uuidv7(), token, ok]);
    expect(outcomes).toMatchObject([
      { kind: 'refused' },
      { kind: 'done' },
      { kind: 'refused', rejection: { code: 'TASK_NOT_FOUND' } },
    ]);
  });

  it('under a lost lease is refused with the worker that has the task', async () => {
    await app.defineQueue('mail');
    const task = await app.enqueued({ queue: 'mail' });
    const token = await app.claimed(task, '1');
    await settle([task, token, { type: 'return' }]);
    await app.claimed(task, '2', 'w2');
    const [outcome] = await settle([task, token, { type: 'succeed' }]);
    const rejection = { code: 'LEASE_LOST', state: 'running', attempt: 1, heldBy: 'w2' };
    expect(outcome).toEqual({ kind: 'refused', rejection });
  });

  it.each(['', 'x', '1', '1.x', `0x1.${SECRET}`, `1.${SECRET}'`])(
    'with %j as the token is refused likewise',
    async (token) => {
      await app.defineQueue('mail');
      const task = await app.enqueued({ queue: 'mail' });
      await app.claimed(task, '1');
      const [outcome] = await settle([task, token, { type: 'succeed' }]);
      expect(outcome).toMatchObject({ kind: 'refused', rejection: { code: 'LEASE_LOST', heldBy: 'w1' } });
    },
  );

  it('is visible here if another process made it', async () => {
    await app.defineQueue('mail');
    const task = await app.enqueued({ queue: 'mail' });
    const token = await app.claimed(task, '1');
    await settle([task, token, { type: 'reportError', error: { message: 'hm' } }]); // now the state is cached here
    const other = await TestApplication.start(app.store);
    await other.execute(new SettleTasks([{ taskId: task, token, verdict: { type: 'return' } }], w1));
    const [outcome] = await settle([task, token, { type: 'succeed' }]);
    expect(outcome).toMatchObject({
      kind: 'refused',
      rejection: { code: 'LEASE_LOST', state: 'pending', heldBy: null },
    });
  });
});

describe('an overdue lease', () => {
  const past = '2020-01-01T00:00:00.000Z';

  async function running(claimedAt: string): Promise<string> {
    await app.defineQueue('mail', { maxLost: 1 });
    const task = await app.enqueued({ queue: 'mail' });
    app.clock.set(claimedAt);
    await app.claimed(task, '7');
    return task;
  }

  const expire = (task: string) => app.execute(new ExpireLeases([{ taskId: task, token: '7' }], by('sweeper')));

  it('is ended once', async () => {
    const task = await running(past);
    expect(await expire(task)).toBe(1);
    expect(await expire(task)).toBe(0);
    expect(await lastOf(task)).toMatchObject({ event: { type: 'TaskLeaseExpired' }, envelope: { policyVersion: 1 } });
  });

  it('is left alone if it was extended meanwhile', async () => {
    const task = await running(new Date().toISOString());
    expect(await expire(task)).toBe(0);
    expect(typesOf(await app.eventsOfTask(task))).toEqual(['TaskEnqueued', 'TaskClaimed']);
  });
});

it('extends the standing leases, in order', async () => {
  app.leases.standing.add(`1.${SECRET}`);
  const items = [`2.${SECRET}`, `1.${SECRET}`, 'nonsense'].map((token, at) => ({ taskId: `t${at}`, token }));
  const answers = await app.execute(new ExtendLeases(items, w1));
  expect(answers.map(({ taskId, kind }) => [taskId, kind])).toEqual([
    ['t0', 'lost'],
    ['t1', 'extended'],
    ['t2', 'lost'],
  ]);
});
