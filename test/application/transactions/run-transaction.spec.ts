import { uuidv7 } from 'uuidv7';
import { Refused } from '../../../src/application/kernel/application-error.js';
import type { RecordedEvent } from '../../../src/application/kernel/event-store.port.js';
import type { CommandContext } from '../../../src/application/kernel/command-context.js';
import { ChangePolicy } from '../../../src/application/queues/change-policy.handler.js';
import { OperateQueue } from '../../../src/application/queues/operate-queue.handler.js';
import { DefineQueue } from '../../../src/application/queues/define-queue.handler.js';
import type { PolicyChanges } from '../../../src/application/queues/policy-changes.js';
import type { EnqueueItem } from '../../../src/application/tasks/enqueue-item.js';
import { OperateTask } from '../../../src/application/tasks/operate-task.handler.js';
import {
  RunTransaction,
  type Step,
  type TransactionReceipt,
} from '../../../src/application/transactions/run-transaction.handler.js';
import { queueStream } from '../../../src/domain/queue/queue.stream.js';
import { taskStream } from '../../../src/domain/task/task.stream.js';
import { item } from '../../support/events.js';
import { by, TestApplication, typesOf } from '../application.js';

const shop = by('shop');
let app: TestApplication;

beforeEach(async () => {
  app = await TestApplication.start();
  await app.defineQueue('mail');
  await app.defineQueue('print');
});

const enqueue = (queue: string, more: Partial<EnqueueItem> = {}): Step & { item: EnqueueItem } => ({
  kind: 'enqueue',
  item: { queue, taskId: uuidv7(), ...more },
});
const succeed = (taskId: string, token: string): Step => ({
  kind: 'settle',
  item: { taskId, token, verdict: { type: 'succeed' } },
});
const operate = (taskId: string, type: 'CancelTask' | 'HoldTask'): Step => ({
  kind: 'operate',
  on: { task: taskId },
  command: (context) => new OperateTask(taskId, { type, reason: null }, context),
});
const release = (taskId: string): Step => ({
  kind: 'operate',
  on: { task: taskId },
  command: (context) => new OperateTask(taskId, { type: 'ReleaseTask' }, context),
});
const retry = (taskId: string): Step => ({
  kind: 'operate',
  on: { task: taskId },
  command: (context) => new OperateTask(taskId, { type: 'RetryTask', step: null, override: false }, context),
});

const onQueue = (queue: string, command: Extract<Step, { kind: 'operate' }>['command']): Step => ({
  kind: 'operate',
  on: { queue },
  command,
});
const openIntake = (queue: string): Step =>
  onQueue(queue, (context) => new OperateQueue(queue, { type: 'OpenIntake' }, context));
const closeIntake = (queue: string): Step =>
  onQueue(queue, (context) => new OperateQueue(queue, { type: 'CloseIntake', reason: null }, context));

const run = (...steps: readonly Step[]): Promise<TransactionReceipt> => app.execute(new RunTransaction(steps, shop));
const typesOfTask = async (id: string) => typesOf(await app.eventsOfTask(id));

async function refusal(...steps: readonly Step[]): Promise<{ code: string; index: number | null }> {
  const before = await app.store.head();
  const error: unknown = await run(...steps).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Refused);
  expect(await app.store.head()).toBe(before);
  const { rejection, index } = error as Refused;
  return { code: rejection.code, index };
}

it('records commands on several tasks with one append', async () => {
  const running = await app.enqueued({ queue: 'mail' });
  const token = await app.claimed(running, '1');
  const [mail, print] = [enqueue('mail'), enqueue('print')];
  app.store.appends = 0;
  const { results, position } = await run(mail, print, succeed(running, token));
  expect(app.store.appends).toBe(1);
  expect(results).toEqual([
    { id: mail.item.taskId, revision: 0, recorded: true },
    { id: print.item.taskId, revision: 0, recorded: true },
    { id: running, revision: 2, recorded: true },
  ]);
  expect(position).toBe(String(await app.store.head()));
});

it('decides each command on the effects of those before it', async () => {
  const one = enqueue('mail', { hold: {} });
  const id = one.item.taskId!;
  const { results } = await run(one, release(id), operate(id, 'CancelTask'), retry(id), operate(id, 'HoldTask'));
  expect(results.map(({ revision }) => revision)).toEqual([0, 1, 2, 3, 4]);
  expect(await typesOfTask(id)).toEqual(['TaskEnqueued', 'TaskReleased', 'TaskCancelled', 'TaskRetried', 'TaskHeld']);
});

it('frees a key for a task of the same transaction', async () => {
  const waiting = await app.enqueued({ queue: 'mail', key: 'k' });
  const next = enqueue('mail', { key: 'k' });
  await run(operate(waiting, 'CancelTask'), next);
  expect(await typesOfTask(next.item.taskId!)).toEqual(['TaskEnqueued']);
});

it('records nothing if one command is refused, and names it', async () => {
  const waiting = await app.enqueued({ queue: 'mail' });
  const given = [enqueue('mail'), operate(waiting, 'CancelTask')] as const;
  expect(await refusal(...given, retry(given[0]!.item.taskId!))).toEqual({ code: 'ILLEGAL_TRANSITION', index: 2 });
  expect(await refusal(...given, enqueue('nowhere'))).toEqual({ code: 'QUEUE_NOT_FOUND', index: 2 });
  expect(await refusal(operate(uuidv7(), 'CancelTask'), ...given)).toEqual({ code: 'TASK_NOT_FOUND', index: 0 });
});

it('holds an amended payload to the limit of the queue', async () => {
  await app.defineQueue('small', { limits: { payloadBytes: 12 } });
  const one = enqueue('small');
  const id = one.item.taskId!;
  const command = (context: CommandContext) =>
    new OperateTask(id, { type: 'AmendPayload', payload: 'x'.repeat(11) }, context);
  expect(await refusal(one, { kind: 'operate', on: { task: id }, command })).toEqual({
    code: 'PAYLOAD_TOO_LARGE',
    index: 1,
  });
});

it('names the command that a constraint of the store refuses', async () => {
  await app.defineQueue('strict', { duplicatePending: 'refuse', uniqueReference: 'always' });
  await app.enqueued({ queue: 'strict', key: 'k', reference: 'r' });
  const free = enqueue('strict', { key: 'l' });
  expect(await refusal(free, enqueue('strict', { key: 'k' }))).toEqual({ code: 'KEY_ALREADY_WAITING', index: 1 });
  expect(await refusal(free, enqueue('strict', { key: 'l' }))).toEqual({ code: 'KEY_ALREADY_WAITING', index: 1 });
  expect(await refusal(enqueue('strict', { reference: 'r' }), free)).toEqual({ code: 'REFERENCE_IN_USE', index: 0 });
});

it('names the refused command even if the stream has moved on by then', async () => {
  await app.defineQueue('strict', { duplicatePending: 'refuse' });
  const cancelled = await app.enqueued({ queue: 'strict', key: 'k' });
  await app.execute(new OperateTask(cancelled, { type: 'CancelTask', reason: null }, by('other')));
  await app.enqueued({ queue: 'strict', key: 'k' });
  const favour = (context: CommandContext) =>
    new OperateTask(cancelled, { type: 'ReprioritiseTask', priority: 5 }, context);
  const elsewhere = await anotherProcess();
  app.store.afterRefusal = () =>
    elsewhere.execute(new OperateTask(cancelled, { type: 'ReprioritiseTask', priority: 3 }, by('other')));
  const given = [{ kind: 'operate', on: { task: cancelled }, command: favour }, retry(cancelled)] as const;
  await expect(run(...given)).rejects.toMatchObject({ rejection: { code: 'KEY_ALREADY_WAITING' }, index: 1 });
});

it('answers with the task that waits for a key, even one of the same transaction', async () => {
  const waiting = await app.enqueued({ queue: 'mail', key: 'k' });
  const fresh = enqueue('mail', { key: 'l' });
  const { results } = await run(enqueue('mail', { key: 'k' }), fresh, enqueue('mail', { key: 'l' }));
  expect(results).toEqual([
    { id: waiting, revision: 0, recorded: false },
    { id: fresh.item.taskId, revision: 0, recorded: true },
    { id: fresh.item.taskId, revision: 0, recorded: false },
  ]);
});

it('opens and closes queues for the tasks that follow', async () => {
  await app.execute(new OperateQueue('mail', { type: 'CloseIntake', reason: null }, shop));
  const [inside, other] = [enqueue('mail'), enqueue('print')];
  const { results } = await run(other, openIntake('mail'), inside, closeIntake('mail'), closeIntake('print'));
  expect(results.map(({ id }) => id)).toEqual([other.item.taskId, 'mail', inside.item.taskId, 'mail', 'print']);
  expect(typesOf(await app.eventsOfQueue('mail'))).toEqual([
    'QueueDefined',
    'QueueIntakeClosed',
    'QueueIntakeOpened',
    'QueueIntakeClosed',
  ]);
  expect(await refusal(openIntake('mail'), closeIntake('mail'), enqueue('mail'))).toEqual({
    code: 'INTAKE_CLOSED',
    index: 2,
  });
});

describe('a queue', () => {
  const define = (queue: string, policy: PolicyChanges = {}): Step =>
    onQueue(queue, (context) => new DefineQueue(queue, '', policy, context));
  const change = (queue: string, policy: PolicyChanges, ifVersion = 1): Step =>
    onQueue(queue, (context) => new ChangePolicy(queue, null, policy, ifVersion, context));
  const finish = (queue: string): Step =>
    onQueue(queue, (context) => new OperateQueue(queue, { type: 'FinishQueue' }, context));
  const remove = (queue: string): Step =>
    onQueue(queue, (context) => new OperateQueue(queue, { type: 'DeleteQueue' }, context));
  const typesOfQueue = async (name: string) => typesOf(await app.eventsOfQueue(name));

  it('is defined for the tasks that follow, and deleted with its last one', async () => {
    const first = enqueue('letters', { key: 'k' });
    const { results } = await run(define('letters', { defaultPriority: 4 }), first);
    expect(results.map(({ id }) => id)).toEqual(['letters', first.item.taskId]);
    const [{ event }] = (await app.eventsOfTask(first.item.taskId!)) as [RecordedEvent];
    expect(event.data).toMatchObject({ priority: 4 });
    const cancel = operate(first.item.taskId!, 'CancelTask');
    expect(await refusal(remove('letters'), cancel)).toEqual({ code: 'QUEUE_NOT_EMPTY', index: 0 });
    await run(cancel, remove('letters'));
    expect(await refusal(enqueue('letters'))).toEqual({ code: 'QUEUE_NOT_FOUND', index: 0 });
  });

  it('is finished with its last task, and with none that was open before it', async () => {
    const running = await app.enqueued({ queue: 'mail' });
    const token = await app.claimed(running, '1');
    expect(await refusal(finish('mail'))).toEqual({ code: 'QUEUE_NOT_EMPTY', index: 0 });
    expect(await refusal(succeed(running, token), enqueue('mail'), finish('mail'))).toEqual({
      code: 'QUEUE_NOT_EMPTY',
      index: 2,
    });
    expect(await refusal(succeed(running, token), finish('mail'), enqueue('mail'))).toEqual({
      code: 'QUEUE_FINISHED',
      index: 2,
    });
    await run(succeed(running, token), finish('mail'));
    expect(await typesOfQueue('mail')).toEqual(['QueueDefined', 'QueueFinished']);
  });

  it('decides the failures that follow by its new policy', async () => {
    const running = await app.enqueued({ queue: 'mail' });
    const token = await app.claimed(running, '1');
    const error = { message: 'no space left', class: 'application' as const };
    const fails: Step = { kind: 'settle', item: { taskId: running, token, verdict: { type: 'fail', error } } };
    await run(change('mail', { onFailure: 'decide' }), fails);
    expect((await typesOfTask(running)).at(-1)).toBe('TaskDecisionRequested');
  });

  it('limits amended payloads by its new limit', async () => {
    const waiting = await app.enqueued({ queue: 'mail' });
    const command = (context: CommandContext) =>
      new OperateTask(waiting, { type: 'AmendPayload', payload: 'x'.repeat(11) }, context);
    const amend: Step = { kind: 'operate', on: { task: waiting }, command };
    expect(await refusal(change('mail', { limits: { payloadBytes: 12 } }), amend)).toEqual({
      code: 'PAYLOAD_TOO_LARGE',
      index: 1,
    });
  });

  it('waits for others as the transaction leaves them', async () => {
    await run(finish('print'), change('mail', { waitsFor: ['print'] }));
    expect(await typesOfQueue('mail')).toEqual(['QueueDefined', 'QueuePolicyChanged']);
    await run(define('index'), define('report', { waitsFor: ['index'] }));
    expect(await typesOfQueue('report')).toEqual(['QueueDefined', 'QueueWaiting']);
    expect(await refusal(enqueue('mail'), remove('index'))).toEqual({ code: 'QUEUE_AWAITED', index: 1 });
    const free = change('report', { waitsFor: [] });
    expect(await refusal(free, remove('index'), define('late', { waitsFor: ['index'] }))).toEqual({
      code: 'AWAITED_QUEUE_NOT_FOUND',
      index: 2,
    });
    await run(free, remove('index'));
  });

  it('is refused if two commands of the transaction form a cycle', async () => {
    const halves = [change('mail', { waitsFor: ['print'] }), change('print', { waitsFor: ['mail'] })];
    expect(await refusal(...halves)).toEqual({ code: 'QUEUES_WAIT_IN_CYCLE', index: 1 });
  });

  it('changes only the policy version that the caller has seen', async () => {
    const first = change('mail', { defaultPriority: 4 });
    expect(await refusal(first, change('mail', { defaultPriority: 5 }))).toEqual({
      code: 'POLICY_VERSION_MISMATCH',
      index: 1,
    });
    await run(first, change('mail', { defaultPriority: 5 }, 2));
  });

  it('is not finished if an open task arrived meanwhile', async () => {
    beforeTheCommit(() => app.enqueued({ queue: 'mail' }));
    expect(await app.refusal(new RunTransaction([enqueue('print'), finish('mail')], shop))).toMatchObject({
      code: 'QUEUE_NOT_EMPTY',
    });
    expect(await typesOfQueue('mail')).toEqual(['QueueDefined']);
  });

  it('is not deleted if another one began to wait for it meanwhile', async () => {
    beforeTheCommit(() => app.execute(new ChangePolicy('print', null, { waitsFor: ['mail'] }, null, shop)));
    expect(await app.refusal(new RunTransaction([remove('mail')], shop))).toMatchObject({ code: 'QUEUE_AWAITED' });
  });

  it('is decided again if a queue that it waits for changed meanwhile', async () => {
    beforeTheCommit(() => app.execute(new OperateQueue('print', { type: 'FinishQueue' }, shop)));
    await run(enqueue('mail'), define('late', { waitsFor: ['print'] }));
    expect(await typesOfQueue('late')).toEqual(['QueueDefined']);
  });
});

it('accepts no task by an outdated queue', async () => {
  await app.enqueued({ queue: 'mail' }); // from now on, the directory has the queue in its cache
  await app.store.append([item(queueStream('mail'), 0, [CLOSED])]);
  const refused = { index: 0, rejection: { code: 'INTAKE_CLOSED' } };
  await expect(run(enqueue('mail'), openIntake('mail'), closeIntake('mail'))).rejects.toMatchObject(refused);
});

it('finds tasks that it enqueued before', async () => {
  const again = enqueue('mail');
  await run(again);
  const { results } = await run(again, enqueue('print'));
  expect(results.map(({ recorded }) => recorded)).toEqual([false, true]);
  const other = enqueue('mail', { taskId: again.item.taskId, kind: 'other' });
  expect(await refusal(other)).toEqual({
    code: 'TASK_EXISTS',
    index: 0,
  });
});

const CLOSED = { type: 'QueueIntakeClosed', version: 1, data: { queue: 'mail', by: 'other', reason: null } };

/** Its commands do not wait for the turns of this one's. */
const anotherProcess = (): Promise<TestApplication> => TestApplication.start(app.store);

/** Runs something between the decisions and the commit. */
function beforeTheCommit(happening: () => Promise<unknown>): void {
  const append = app.store.append.bind(app.store);
  app.store.append = async (items, options) => {
    app.store.append = append;
    await happening();
    return append(items, options);
  };
}

it('decides again if a stream moved on meanwhile, even one that it only read', async () => {
  const held = await app.enqueued({ queue: 'mail', hold: {} });
  const elsewhere = await anotherProcess();
  beforeTheCommit(() => elsewhere.execute(new OperateTask(held, { type: 'ReleaseTask' }, by('other'))));
  await run(operate(held, 'HoldTask'), enqueue('mail'));
  expect(await typesOfTask(held)).toEqual(['TaskEnqueued', 'TaskReleased', 'TaskHeld']);
});

it('decides again if a queue changed meanwhile', async () => {
  const given = [enqueue('mail'), enqueue('print')];
  await app.enqueued({ queue: 'mail' }); // from now on, the directory has the queue in its cache
  await app.changePolicy('mail', { defaultPriority: 7 });
  await run(...given);
  const [event] = await app.eventsOfTask(given[0]!.item.taskId!);
  expect(event!.event.data).toMatchObject({ priority: 7 });
});

it('gives up if a stream moves on every time', async () => {
  const restless = await app.enqueued({ queue: 'mail' });
  // As if another process appended all the time. Commands of this one wait for their turn.
  let revision = 0;
  app.store.append = async (items) => {
    revision += 1;
    return items.map(() => ({ kind: 'conflict', actual: revision }));
  };
  let now = 0;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  await expect(run(operate(restless, 'CancelTask'))).rejects.toMatchObject({ rejection: { code: 'CONTENTION' } });
  clock.mockRestore();
});

it('is refused with the cause if the index contradicts a history for good, also of a task that it only read', async () => {
  const wrong = await app.enqueued({ queue: 'mail' });
  app.store.append = async (items) =>
    items.map(({ stream, expected }) => ({ kind: 'conflict', actual: stream === taskStream(wrong) ? 5 : expected }));
  await expect(run(operate(wrong, 'CancelTask'))).rejects.toThrow('revisions 0 and 5');
  await expect(run(release(wrong), enqueue('mail'))).rejects.toThrow('revisions 0 and 5');
});

it('is carried out once per idempotency key', async () => {
  const keyed = (fingerprint: string) => by('shop', { idempotencyKey: { key: 'once', fingerprint } });
  const steps = [enqueue('mail'), enqueue('print', { taskId: null })];
  const first = await app.execute(new RunTransaction(steps, keyed('f')));
  const again = await app.execute(new RunTransaction(steps, keyed('f')));
  expect(again).toEqual({ ...first, replayed: true });
  expect(await app.refusal(new RunTransaction(steps, keyed('g')))).toEqual({ code: 'IDEMPOTENCY_KEY_REUSED' });
});

it('is refused as a whole if it is larger than the store accepts', async () => {
  app.store.append = (items) =>
    Promise.resolve(items.map(() => ({ kind: 'refused', constraint: 'too-large', bytes: 11, limit: 10 })));
  const steps = [enqueue('mail'), enqueue('print')];
  const rejection = { code: 'TRANSACTION_TOO_LARGE', bytes: 11, limit: 10 };
  expect(await app.refusal(new RunTransaction(steps, shop))).toEqual(rejection);
});
