import { uuidv7 } from 'uuidv7';
import { SettleTasks } from '../../src/application/claims/settle-tasks.handler.js';
import type { AppendItem } from '../../src/application/kernel/event-store.port.js';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import { OperateTask } from '../../src/application/tasks/operate-task.handler.js';
import { by, TestApplication } from './application.js';

const admin = by('admin');
const large = 'x'.repeat(10_000);
const rejection = { code: 'EVENT_TOO_LARGE', bytes: 11, limit: 10 };
const refused = { kind: 'refused', rejection };

let app: TestApplication;

/** Uses a store that does not accept ten thousand bytes at once. */
beforeEach(async () => {
  app = await TestApplication.start();
  const { store } = app;
  const { append } = store;
  const fits = ({ events }: AppendItem): boolean => JSON.stringify(events).length < large.length;
  store.append = async (items, options) => {
    const results = [...(await append.call(store, items.filter(fits), options))];
    return items.map((item) =>
      fits(item) ? results.shift()! : { kind: 'refused', constraint: 'too-large', bytes: 11, limit: 10 },
    );
  };
  await app.defineQueue('mail', { duplicatePending: 'replace-payload' });
});

const item = (payload: string, key?: string) => ({ taskId: uuidv7(), queue: 'mail', payload, ...(key && { key }) });

it('refuses a task that is larger than the store accepts, and no other', async () => {
  expect(await app.enqueue([item('a'), item(large), item('b')])).toMatchObject([
    { kind: 'done' },
    refused,
    { kind: 'done' },
  ]);
});

it('refuses a payload of that size for a waiting task', async () => {
  const task = await app.enqueued(item('a', 'k'));
  expect(await app.enqueue([item(large, 'k')])).toEqual([refused]);
  expect(await app.refusal(new OperateTask(task, { type: 'AmendPayload', payload: large }, admin))).toEqual(rejection);
});

it('refuses a result of that size, and accepts another verdict', async () => {
  const taskId = await app.enqueued(item('a'));
  const token = await app.claimed(taskId, '1');
  const settle = async (result: string) => {
    const verdict = { type: 'succeed', result } as const;
    return app.execute(new SettleTasks([{ taskId, token, verdict }], by('w1')));
  };
  expect(await settle(large)).toEqual([refused]);
  expect(await settle('done')).toMatchObject([{ kind: 'done', state: 'succeeded' }]);
});

it('refuses a queue with a description of that size', async () => {
  const define = new DefineQueue('print', large, {}, admin);
  expect(await app.refusal(define)).toEqual(rejection);
});
