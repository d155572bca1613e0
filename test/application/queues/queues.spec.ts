import { ChangePolicy } from '../../../src/application/queues/change-policy.handler.js';
import { OperateQueue } from '../../../src/application/queues/operate-queue.handler.js';
import { DefineQueue } from '../../../src/application/queues/define-queue.handler.js';
import type { PolicyChanges } from '../../../src/application/queues/policy-changes.js';
import { ApplyDueQueueTransitions } from '../../../src/application/queues/apply-due-queue-transitions.handler.js';
import { OperateTask } from '../../../src/application/tasks/operate-task.handler.js';
import { DEFAULT_POLICY } from '../../../src/domain/queue/queue.policy.js';
import { by, TestApplication, typesOf } from '../application.js';

const admin = by('admin');
let app: TestApplication;

beforeEach(async () => {
  app = await TestApplication.start();
});

describe('defining a queue', () => {
  it('uses the defaults for omitted fields', async () => {
    const receipt = await app.defineQueue('mail', { leaseMs: 5_000, retry: { backoff: { baseMs: 10 } } });
    expect(receipt).toMatchObject({ id: 'mail', position: '1', revision: 0, recorded: true, replayed: false });
    const [defined] = await app.eventsOfQueue('mail');
    const backoff = { ...DEFAULT_POLICY.retry.backoff, baseMs: 10 };
    expect(defined!.event.data).toMatchObject({
      policy: { ...DEFAULT_POLICY, leaseMs: 5_000, retry: { ...DEFAULT_POLICY.retry, backoff } },
      policyVersion: 1,
    });
  });

  const define = (leaseMs: number, replace = false, context = admin) =>
    app.execute(new DefineQueue('mail', '', { leaseMs }, context, null, replace));

  it('reports that it was created', async () => {
    const receipt = await define(5_000);
    expect(receipt).toMatchObject({ recorded: true, outcome: 'created', differences: [] });
    expect(receipt.queue).toMatchObject({
      name: 'mail',
      state: 'active',
      policyVersion: 1,
      policy: { leaseMs: 5_000 },
    });
  });

  it('repeated keeps it, and reports it: an operator’s later change remains', async () => {
    await define(5_000);
    expect(await define(5_000)).toMatchObject({ recorded: false, revision: 0, outcome: 'kept', differences: [] });
    await app.changePolicy('mail', { leaseMs: 6_000 });
    const kept = await define(5_000);
    expect(kept).toMatchObject({ recorded: false, revision: 1, outcome: 'kept', differences: ['leaseMs'] });
    expect(kept.queue).toMatchObject({ policyVersion: 2, policy: { leaseMs: 6_000 } });
  });

  it('shows why an existing queue gives out or accepts no tasks', async () => {
    await define(5_000);
    await app.execute(new OperateQueue('mail', { type: 'PauseQueue', reason: 'deploy', until: null }, admin));
    await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: 'moving' }, admin));
    const pause = { by: 'admin', reason: 'deploy', until: null, failure: null };
    const intake = { open: false, by: 'admin', reason: 'moving' };
    expect((await define(5_000)).queue).toMatchObject({ state: 'paused', pause, intake });
    await app.execute(new OperateQueue('mail', { type: 'FinishQueue' }, admin));
    expect((await define(5_000)).queue).toMatchObject({ state: 'finished', pause: null, intake });
    await app.execute(new OperateQueue('mail', { type: 'DeleteQueue' }, admin));
    const anew = await define(5_000);
    expect(anew).toMatchObject({ recorded: true, outcome: 'created' });
    expect(anew.queue).toMatchObject({ state: 'active', intake: { open: true }, policyVersion: 2 });
  });

  it('with `replace` changes every field', async () => {
    await define(5_000);
    await app.changePolicy('mail', { maxLost: 9 });
    const replaced = await define(7_000, true);
    expect(replaced).toMatchObject({ recorded: true, outcome: 'replaced', differences: [] });
    expect(replaced.queue).toMatchObject({ policyVersion: 3, policy: { leaseMs: 7_000, maxLost: 3 } });
    expect(await define(7_000, true)).toMatchObject({ recorded: false, outcome: 'kept', differences: [] });
  });
});

describe('changing a policy', () => {
  it('keeps omitted fields', async () => {
    await app.execute(new DefineQueue('mail', 'letters', { leaseMs: 5_000, defaultPriority: 3 }, admin));
    await app.execute(
      new ChangePolicy('mail', null, { leaseMs: 6_000, defaultPriority: undefined, limits: undefined }, 1, admin),
    );
    const events = await app.eventsOfQueue('mail');
    expect(events[1]!.event.data).toMatchObject({
      description: 'letters',
      policy: { leaseMs: 6_000, defaultPriority: 3, limits: DEFAULT_POLICY.limits },
      policyVersion: 2,
    });
  });

  it('is refused to a caller that has seen another version', async () => {
    await app.defineQueue('mail');
    await app.changePolicy('mail', { leaseMs: 5_000 });
    const refusal = await app.refusal(new ChangePolicy('mail', null, { leaseMs: 7_000 }, 1, admin));
    expect(refusal).toEqual({ code: 'POLICY_VERSION_MISMATCH', expected: 1, actual: 2 });
  });

  it('needs an existing queue', async () => {
    const refusal = await app.refusal(new ChangePolicy('mail', null, {}, null, admin));
    expect(refusal).toEqual({ code: 'QUEUE_NOT_FOUND', queue: 'mail' });
  });
});

describe('pausing', () => {
  it('records who paused it, why and until when, and ends by a person', async () => {
    await app.defineQueue('mail');
    const until = '2026-12-01T00:00:00.000Z';
    await app.execute(
      new OperateQueue('mail', { type: 'PauseQueue', reason: 'flood', until }, by('ann', { reason: 'flood' })),
    );
    await app.execute(new OperateQueue('mail', { type: 'ResumeQueue' }, admin));
    const events = await app.eventsOfQueue('mail');
    expect(typesOf(events)).toEqual(['QueueDefined', 'QueuePaused', 'QueueResumed']);
    expect(events[1]!.event.data).toEqual({ queue: 'mail', by: 'ann', reason: 'flood', until });
    expect(events[1]!.envelope).toEqual({ actor: 'ann', correlationId: 'test', reason: 'flood' });
  });

  it('ends by the clock', async () => {
    for (const [name, until] of [
      ['mail', '2026-12-01T00:00:00.000Z'],
      ['print', '2026-12-02T00:00:00.000Z'],
    ] as const) {
      await app.defineQueue(name);
      await app.execute(new OperateQueue(name, { type: 'PauseQueue', reason: null, until }, admin));
    }
    app.clock.set('2026-12-01T00:00:00.000Z');
    const due = ['mail', 'print', 'unknown'].map((name) => ({ name, cause: 'pause-over' as const }));
    expect(await app.execute(new ApplyDueQueueTransitions(due, by('sweeper')))).toBe(1);
    expect(typesOf(await app.eventsOfQueue('mail'))).toEqual(['QueueDefined', 'QueuePaused', 'QueueResumed']);
    expect(typesOf(await app.eventsOfQueue('print'))).toEqual(['QueueDefined', 'QueuePaused']);
  });
});

it('closes and opens the intake', async () => {
  await app.defineQueue('mail');
  await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: 'full' }, admin));
  expect(await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: 'full' }, admin))).toMatchObject({
    recorded: false,
  });
  await app.execute(new OperateQueue('mail', { type: 'OpenIntake' }, admin));
  expect(typesOf(await app.eventsOfQueue('mail'))).toEqual(['QueueDefined', 'QueueIntakeClosed', 'QueueIntakeOpened']);
});

describe('a queue that waits for others', () => {
  const waitsFor = (...names: string[]): PolicyChanges => ({ waitsFor: names });

  it('is refused if they do not exist, or wait for it', async () => {
    expect(await app.refusal(new DefineQueue('mail', '', waitsFor('print'), admin))).toEqual({
      code: 'AWAITED_QUEUE_NOT_FOUND',
      queue: 'mail',
      awaited: 'print',
    });
    await app.defineQueue('print');
    await app.defineQueue('mail', waitsFor('print'));
    await app.defineQueue('post', waitsFor('mail'));
    expect(await app.refusal(new ChangePolicy('print', null, waitsFor('post'), null, admin))).toEqual({
      code: 'QUEUES_WAIT_IN_CYCLE',
      queue: 'print',
      cycle: ['print', 'post', 'mail'],
    });
  });

  it('waits if the other one was reopened between the look and the append', async () => {
    await app.defineQueue('print');
    await app.execute(new OperateQueue('print', { type: 'FinishQueue' }, admin));
    const { append } = app.store;
    app.store.append = async (...args: Parameters<typeof append>) => {
      app.store.append = append;
      await app.execute(new OperateQueue('print', { type: 'ReopenQueue' }, admin));
      return app.store.append(...args);
    };
    await app.defineQueue('mail', waitsFor('print'));
    expect(typesOf(await app.eventsOfQueue('mail'))).toEqual(['QueueDefined', 'QueueWaiting']);
  });

  it('becomes active when its wait is over, and not before', async () => {
    await app.defineQueue('print');
    await app.defineQueue('mail', waitsFor('print'));
    const over = new ApplyDueQueueTransitions([{ name: 'mail', cause: 'wait-over' }], by('sweeper'));
    expect(await app.execute(over)).toBe(0);
    await app.execute(new OperateQueue('print', { type: 'FinishQueue' }, admin));
    expect(await app.execute(over)).toBe(1);
    expect(await app.execute(over)).toBe(0);
    expect(typesOf(await app.eventsOfQueue('mail'))).toEqual(['QueueDefined', 'QueueWaiting', 'QueueActivated']);
  });

  it('keeps the awaited one from being deleted', async () => {
    await app.defineQueue('print');
    await app.defineQueue('mail', waitsFor('print'));
    const refusal = { code: 'QUEUE_AWAITED', queue: 'print', by: 'mail' };
    expect(await app.refusal(new OperateQueue('print', { type: 'DeleteQueue' }, admin))).toEqual(refusal);
    await app.changePolicy('mail', waitsFor());
    expect(await app.execute(new OperateQueue('print', { type: 'DeleteQueue' }, admin))).toMatchObject({
      recorded: true,
    });
  });
});

it('does not finish a drained queue that got a task meanwhile', async () => {
  await app.defineQueue('mail', { finite: true });
  await app.enqueued({ queue: 'mail' });
  await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, admin));
  expect(await app.execute(new ApplyDueQueueTransitions([{ name: 'mail', cause: 'drained' }], by('sweeper')))).toBe(0);
});

describe('finishing and deleting', () => {
  it.each(['FinishQueue', 'DeleteQueue'] as const)('are refused while a task is open (%s)', async (type) => {
    const ending = new OperateQueue('mail', { type }, admin);
    await app.defineQueue('mail');
    const task = await app.enqueued({ queue: 'mail' });
    expect(await app.refusal(ending)).toEqual({ code: 'QUEUE_NOT_EMPTY', queue: 'mail' });
    await app.execute(new OperateTask(task, { type: 'AbortTask', reason: null }, admin));
    expect(await app.execute(ending)).toMatchObject({ recorded: true });
  });

  it('differ: a finished queue can be reopened, a deleted one cannot', async () => {
    await app.defineQueue('mail');
    await app.execute(new OperateQueue('mail', { type: 'FinishQueue' }, admin));
    await app.execute(new OperateQueue('mail', { type: 'ReopenQueue' }, admin));
    await app.execute(new OperateQueue('mail', { type: 'DeleteQueue' }, admin));
    expect(await app.refusal(new OperateQueue('mail', { type: 'ReopenQueue' }, admin))).toEqual({
      code: 'QUEUE_NOT_FOUND',
      queue: 'mail',
    });
  });
});

describe('an idempotency key', () => {
  const keyed = (fingerprint: string) => by('admin', { idempotencyKey: { key: 'k1', fingerprint } });

  it('returns what the first request recorded', async () => {
    await app.defineQueue('mail');
    const first = await app.execute(new ChangePolicy('mail', null, { leaseMs: 4_000 }, null, keyed('a')));
    await app.changePolicy('mail', { leaseMs: 5_000 });
    // By now the same request would be decided differently. The key returns the first answer instead.
    const again = await app.execute(new ChangePolicy('mail', null, { leaseMs: 9_000 }, null, keyed('a')));
    expect(again).toEqual({ ...first, replayed: true });
    expect(await app.eventsOfQueue('mail')).toHaveLength(3);
  });

  it('is refused for another request', async () => {
    await app.execute(new DefineQueue('mail', '', {}, keyed('a')));
    const refusal = await app.refusal(
      new OperateQueue('mail', { type: 'PauseQueue', reason: null, until: null }, keyed('b')),
    );
    expect(refusal).toEqual({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });
});
