import { uuidv7 } from 'uuidv7';
import { AbortTask } from '../../../src/application/tasks/abort-task.handler.js';
import { AmendPayload } from '../../../src/application/tasks/amend-payload.handler.js';
import { CancelTask } from '../../../src/application/tasks/cancel-task.handler.js';
import { DecideTask } from '../../../src/application/tasks/decide-task.handler.js';
import { DeleteTask } from '../../../src/application/tasks/delete-task.handler.js';
import { HoldTask } from '../../../src/application/tasks/hold-task.handler.js';
import { OverruleTask } from '../../../src/application/tasks/overrule-task.handler.js';
import { ReleaseTask } from '../../../src/application/tasks/release-task.handler.js';
import { ReprioritiseTask } from '../../../src/application/tasks/reprioritise-task.handler.js';
import { RescheduleTask } from '../../../src/application/tasks/reschedule-task.handler.js';
import { RetryTask } from '../../../src/application/tasks/retry-task.handler.js';
import { SubmitTask } from '../../../src/application/tasks/submit-task.handler.js';
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

/** A task of the key that its worker has failed. */
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
    ['holds', (task: string) => new HoldTask(task, 'wait', admin), 'TaskHeld'],
    ['cancels', (task: string) => new CancelTask(task, 'no', admin), 'TaskCancelled'],
    ['aborts', (task: string) => new AbortTask(task, 'no', admin), 'TaskAborted'],
    ['reprioritises', (task: string) => new ReprioritiseTask(task, 7, admin), 'TaskReprioritised'],
    ['reschedules', (task: string) => new RescheduleTask(task, '2030-01-01T00:00:00.000Z', admin), 'TaskRescheduled'],
    ['amends', (task: string) => new AmendPayload(task, { a: 2 }, admin), 'TaskPayloadAmended'],
    ['deletes', (task: string) => new DeleteTask(task, false, admin), 'TaskDeleted'],
  ])('%s a waiting task', async (_verb, command, event) => {
    const task = await app.enqueued({ queue: 'mail' });
    const receipt = await app.execute(command(task));
    expect(receipt).toMatchObject({ id: task, revision: 1, recorded: true, replayed: false });
    expect(await lastOf(task)).toMatchObject({ event: { type: event }, envelope: { actor: 'admin' } });
  });

  it('is held to the limit of the queue when amending a payload, as when handing it in', async () => {
    await app.defineQueue('small', { limits: { payloadBytes: 12 } });
    const task = await app.enqueued({ queue: 'small', payload: 'ä' });
    const amend = (payload: string) => new AmendPayload(task, payload, admin);
    expect(await app.refusal(amend('ääääää'))).toEqual({ code: 'PAYLOAD_TOO_LARGE', bytes: 14, limit: 12 });
    expect(await app.execute(amend('äääää'))).toMatchObject({ recorded: true, revision: 1 });
  });

  it('submits a prepared task, and releases a held one', async () => {
    const prepared = await app.enqueued({ queue: 'mail', prepared: true });
    const held = await app.enqueued({ queue: 'mail', hold: {} });
    await app.execute(new SubmitTask(prepared, admin));
    await app.execute(new ReleaseTask(held, admin));
    expect(await app.execute(new ReleaseTask(held, admin))).toMatchObject({ recorded: false, revision: 1 });
    expect(typesOf(await app.eventsOfTask(prepared))).toEqual(['TaskPrepared', 'TaskSubmitted']);
    expect(typesOf(await app.eventsOfTask(held))).toEqual(['TaskEnqueued', 'TaskReleased']);
  });

  it('is refused on a task that does not exist', async () => {
    expect(await app.refusal(new CancelTask(uuidv7(), null, admin))).toEqual({ code: 'TASK_NOT_FOUND' });
  });

  it('retries a failed task', async () => {
    const task = await failed();
    await app.execute(new RetryTask(task, null, false, admin));
    expect((await lastOf(task)).event).toMatchObject({ type: 'TaskRetried', data: { by: 'admin', from: 'failed' } });
  });

  it('is refused a retry while another task of the key waits, and told which (S0-20)', async () => {
    const task = await failed('k');
    const waiting = await app.enqueued({ queue: 'mail', key: 'k' });
    const refusal = await app.refusal(new RetryTask(task, null, false, admin));
    expect(refusal).toEqual({ code: 'KEY_ALREADY_WAITING', key: 'k', conflictingTaskId: waiting });
  });

  it('decides about an undecided task', async () => {
    await app.changePolicy('mail', { onFailure: 'decide' });
    const [retried, ended] = [await failed(), await failed()];
    await app.execute(new DecideTask(retried, 'retry', admin));
    await app.execute(new DecideTask(ended, 'fail', admin));
    expect(typesOf(await app.eventsOfTask(retried)).at(-1)).toBe('TaskRetried');
    expect(typesOf(await app.eventsOfTask(ended)).at(-1)).toBe('TaskFailed');
  });

  it('overrules a running task; it gives way to one that waits for its key', async () => {
    const task = await app.enqueued({ queue: 'mail', key: 'k' });
    await app.claimed(task, String(++lastToken));
    const waiting = await app.enqueued({ queue: 'mail', key: 'k' });
    await app.execute(new OverruleTask(task, 'requeue', 'stuck', admin));
    expect((await lastOf(task)).event).toMatchObject({ type: 'TaskFailed', data: { conflictingTaskId: waiting } });
  });
});

describe('an idempotency key', () => {
  const keyed = (fingerprint: string) => by('admin', { idempotencyKey: { key: 'k1', fingerprint } });

  it('stands for the command it came with, not for a second one', async () => {
    const task = await app.enqueued({ queue: 'mail' });
    const first = await app.execute(new ReprioritiseTask(task, 1, keyed('a')));
    await app.execute(new ReprioritiseTask(task, 2, admin));
    expect(await app.execute(new ReprioritiseTask(task, 1, keyed('a')))).toEqual({ ...first, replayed: true });
    expect(await app.refusal(new ReprioritiseTask(task, 3, keyed('b')))).toEqual({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await app.eventsOfTask(task)).toHaveLength(3);
  });
});

it('supersedes what failed, and leaves the rest', async () => {
  const tasks = [await failed('k'), await failed('k'), await app.enqueued({ queue: 'mail', key: 'k' })];
  app.failures.tasks = tasks;
  const success = uuidv7();
  expect(await app.execute(new SupersedeFailures('mail', 'k', success, by('reaction')))).toBe(2);
  expect((await lastOf(tasks[0]!)).event).toMatchObject({ type: 'TaskSuperseded', data: { bySuccessOf: success } });
  expect((await lastOf(tasks[2]!)).event.type).toBe('TaskEnqueued');
});
