import { uuidv7 } from 'uuidv7';
import { OperateTask } from '../../../src/application/tasks/operate-task.handler.js';
import { SupersedeFailures } from '../../../src/application/tasks/supersede-failures.handler.js';
import { SettleTasks } from '../../../src/application/claims/settle-tasks.handler.js';
import { by, TestApplication, typesOf } from '../application.js';

const admin = by('admin');
let app: TestApplication;

beforeEach(async () => {
  app = await TestApplication.start();
  await app.defineQueue('mail');
});

let lastToken = 0;

/** A task with the key that its worker has failed. */
async function failed(key?: string): Promise<string> {
  const task = await app.enqueued({ queue: 'mail', ...(key !== undefined && { key }) });
  const token = await app.claimed(task, String(++lastToken));
  const verdict = { type: 'fail', error: { message: 'broken' } } as const;
  await app.execute(new SettleTasks([{ taskId: task, token, verdict }], by('w1')));
  return task;
}

const lastOf = async (task: string) => (await app.eventsOfTask(task)).at(-1)!;

describe('an operator', () => {
  it.each([
    ['holds', (task: string) => new OperateTask(task, { type: 'HoldTask', reason: 'wait' }, admin), 'TaskHeld'],
    ['cancels', (task: string) => new OperateTask(task, { type: 'CancelTask', reason: 'no' }, admin), 'TaskCancelled'],
    ['aborts', (task: string) => new OperateTask(task, { type: 'AbortTask', reason: 'no' }, admin), 'TaskAborted'],
    [
      'reprioritises',
      (task: string) => new OperateTask(task, { type: 'ReprioritiseTask', priority: 7 }, admin),
      'TaskReprioritised',
    ],
    [
      'reschedules',
      (task: string) => new OperateTask(task, { type: 'RescheduleTask', dueAt: '2030-01-01T00:00:00.000Z' }, admin),
      'TaskRescheduled',
    ],
    [
      'amends',
      (task: string) => new OperateTask(task, { type: 'AmendPayload', payload: { a: 2 } }, admin),
      'TaskPayloadAmended',
    ],
    ['deletes', (task: string) => new OperateTask(task, { type: 'DeleteTask', force: false }, admin), 'TaskDeleted'],
  ])('%s a waiting task', async (_verb, command, event) => {
    const task = await app.enqueued({ queue: 'mail' });
    const receipt = await app.execute(command(task));
    expect(receipt).toMatchObject({ id: task, revision: 1, recorded: true, replayed: false });
    expect(await lastOf(task)).toMatchObject({ event: { type: event }, envelope: { actor: 'admin' } });
  });

  it("can amend a payload only within the queue's limit, as when enqueueing", async () => {
    await app.defineQueue('small', { limits: { payloadBytes: 12 } });
    const task = await app.enqueued({ queue: 'small', payload: 'ä' });
    const amend = (payload: string) => new OperateTask(task, { type: 'AmendPayload', payload }, admin);
    expect(await app.refusal(amend('ääääää'))).toEqual({ code: 'PAYLOAD_TOO_LARGE', bytes: 14, limit: 12 });
    expect(await app.execute(amend('äääää'))).toMatchObject({ recorded: true, revision: 1 });
  });

  it('submits a prepared task, and releases a held one', async () => {
    const prepared = await app.enqueued({ queue: 'mail', prepared: true });
    const held = await app.enqueued({ queue: 'mail', hold: {} });
    await app.execute(new OperateTask(prepared, { type: 'SubmitTask' }, admin));
    await app.execute(new OperateTask(held, { type: 'ReleaseTask' }, admin));
    expect(await app.execute(new OperateTask(held, { type: 'ReleaseTask' }, admin))).toMatchObject({
      recorded: false,
      revision: 1,
    });
    expect(typesOf(await app.eventsOfTask(prepared))).toEqual(['TaskPrepared', 'TaskSubmitted']);
    expect(typesOf(await app.eventsOfTask(held))).toEqual(['TaskEnqueued', 'TaskReleased']);
  });

  it('is refused on a task that does not exist', async () => {
    expect(await app.refusal(new OperateTask(uuidv7(), { type: 'CancelTask', reason: null }, admin))).toEqual({
      code: 'TASK_NOT_FOUND',
    });
  });

  it('retries a failed task', async () => {
    const task = await failed();
    await app.execute(new OperateTask(task, { type: 'RetryTask', step: null, override: false }, admin));
    expect((await lastOf(task)).event).toMatchObject({ type: 'TaskRetried', data: { by: 'admin', from: 'failed' } });
  });

  it('is refused a retry while another task of the key waits, with its id (S0-20)', async () => {
    const task = await failed('k');
    const waiting = await app.enqueued({ queue: 'mail', key: 'k' });
    const refusal = await app.refusal(new OperateTask(task, { type: 'RetryTask', step: null, override: false }, admin));
    expect(refusal).toEqual({ code: 'KEY_ALREADY_WAITING', key: 'k', conflictingTaskId: waiting });
  });

  it('decides on an undecided task', async () => {
    await app.changePolicy('mail', { onFailure: 'decide' });
    const [retried, ended] = [await failed(), await failed()];
    await app.execute(new OperateTask(retried, { type: 'DecideRetry' }, admin));
    await app.execute(new OperateTask(ended, { type: 'DecideFail' }, admin));
    expect(typesOf(await app.eventsOfTask(retried)).at(-1)).toBe('TaskRetried');
    expect(typesOf(await app.eventsOfTask(ended)).at(-1)).toBe('TaskFailed');
  });

  it('overrules a running task, which fails if another one waits for its key', async () => {
    const task = await app.enqueued({ queue: 'mail', key: 'k' });
    await app.claimed(task, String(++lastToken));
    const waiting = await app.enqueued({ queue: 'mail', key: 'k' });
    await app.execute(new OperateTask(task, { type: 'OverruleTask', verdict: 'requeue', reason: 'stuck' }, admin));
    expect((await lastOf(task)).event).toMatchObject({ type: 'TaskFailed', data: { conflictingTaskId: waiting } });
  });
});

describe('an idempotency key', () => {
  const keyed = (fingerprint: string) => by('admin', { idempotencyKey: { key: 'k1', fingerprint } });

  it('is taken for the first command under it, not for a second one', async () => {
    const task = await app.enqueued({ queue: 'mail' });
    const first = await app.execute(new OperateTask(task, { type: 'ReprioritiseTask', priority: 1 }, keyed('a')));
    await app.execute(new OperateTask(task, { type: 'ReprioritiseTask', priority: 2 }, admin));
    expect(await app.execute(new OperateTask(task, { type: 'ReprioritiseTask', priority: 1 }, keyed('a')))).toEqual({
      ...first,
      replayed: true,
    });
    expect(await app.refusal(new OperateTask(task, { type: 'ReprioritiseTask', priority: 3 }, keyed('b')))).toEqual({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await app.eventsOfTask(task)).toHaveLength(3);
  });
});

it('supersedes failed tasks, and no others', async () => {
  const tasks = [await failed('k'), await failed('k'), await app.enqueued({ queue: 'mail', key: 'k' })];
  app.failures.tasks = tasks;
  const success = uuidv7();
  expect(
    await app.execute(
      new SupersedeFailures({ queue: 'mail', key: 'k' }, success, await app.store.head(), by('reaction')),
    ),
  ).toBe(2);
  expect((await lastOf(tasks[0]!)).event).toMatchObject({ type: 'TaskSuperseded', data: { bySuccessOf: success } });
  expect((await lastOf(tasks[2]!)).event.type).toBe('TaskEnqueued');
});
