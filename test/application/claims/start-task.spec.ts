import { uuidv7 } from 'uuidv7';
import { StartTask } from '../../../src/application/claims/start-task.handler.js';
import { OperateTask } from '../../../src/application/tasks/operate-task.handler.js';
import { by, TestApplication, typesOf } from '../application.js';

let app: TestApplication;
beforeEach(async () => {
  app = await TestApplication.start();
  await app.defineQueue('mail');
});

const keyed = by('w1', { idempotencyKey: { key: 'k1', fingerprint: 'a' } });

const start = (taskId: string | null, context = by('w1')) =>
  new StartTask({ item: { taskId, queue: 'mail' }, worker: 'w1', server: 's1', leaseMs: null, context });

/** No lease stands here, as if each had ended before it was looked up. */
describe('a start whose task is stored and whose lease does not stand', () => {
  it.each([
    ['an id', uuidv7(), by('w1')],
    ['an Idempotency-Key', null, keyed],
    ['neither', null, by('w1')],
  ])('is answered with what it recorded, with %s', async (_, taskId, context) => {
    const { task, position, replayed } = await app.execute(start(taskId, context));
    const [, claim] = await app.eventsOfTask(task.taskId);
    expect(task).toMatchObject({ attempt: 1, claimEvent: claim!.id, payload: null });
    expect([position, replayed]).toEqual([String(claim!.position), false]);
  });

  it('is repeated by its id: that is refused, and not called undone', async () => {
    const id = uuidv7();
    await app.execute(start(id));
    expect(await app.refusal(start(id))).toEqual({ code: 'TASK_ALREADY_CLAIMED', by: 'w1', attempt: 1 });
  });

  it('is repeated under its key, also if another request has used the key meanwhile: that gets its answer', async () => {
    const id = uuidv7();
    const first = await app.execute(start(id, keyed));
    await app.execute(new OperateTask(id, { type: 'AbortTask', reason: null }, by('admin')));
    expect(await app.execute(start(null, keyed))).toEqual({ ...first, replayed: true });
    expect(typesOf(await app.eventsOfTask(id))).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskAborted']);
  });
});
