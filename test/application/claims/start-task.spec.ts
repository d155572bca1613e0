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
  ])('is not called undone, with %s', async (_, taskId, context) => {
    expect(await app.refusal(start(taskId, context))).toEqual({ code: 'TASK_ALREADY_CLAIMED', by: 'w1', attempt: 1 });
  });

  it('under a key that another request has used meanwhile, is answered by what became of its task', async () => {
    const id = uuidv7();
    await app.refusal(start(id, keyed));
    await app.execute(new OperateTask(id, { type: 'AbortTask', reason: null }, by('admin')));
    expect(await app.refusal(start(null, keyed))).toMatchObject({ code: 'ILLEGAL_TRANSITION', state: 'aborted' });
    expect(typesOf(await app.eventsOfTask(id))).toEqual(['TaskEnqueued', 'TaskClaimed', 'TaskAborted']);
  });
});
