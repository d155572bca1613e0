import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createWaybill, inChild, steps, type Worker } from '../../src/index.js';
import { built } from '../support/built.js';
import { problem } from '../support/stub-service.js';
import { accepted, CLAIMS, claimedTask, SETTLE, StubWork } from '../support/stub-work.js';
import { until } from '../support/until.js';

let work: StubWork;
let worker: Worker;
let unserved: unknown[];

beforeEach(async () => {
  work = await StubWork.start();
  worker = work.worker({ concurrency: 1 });
  unserved = [];
  worker.on('unserved', ({ task, reason, retryInMs }) => unserved.push([task.taskId, reason, retryInMs]));
  worker.on('failed', ({ error }) => unserved.push(error));
});
afterEach(async () => {
  await worker.stop();
  await work.service.close();
});

it('a task whose function the worker does not know is given back, for longer each time', async () => {
  const functions = createWaybill({ url: work.service.url }).functions({ queue: 'mail' });
  functions.task('v1:run', () => 'done');
  worker.handle(functions);
  const given = (id: string, kind: string) => claimedTask(id, { kind, payload: [] });
  work.offer(given('new', 'v2:run'), given('new', 'v2:run'), given('old', 'v1:run'), given('other', 'v2:run'));
  await worker.start();
  await until(() => work.verdicts.length === 4);
  expect(work.verdicts).toEqual([
    ['new', { type: 'return', afterMs: 1_000, unknownKind: true }],
    ['new', { type: 'return', afterMs: 2_000, unknownKind: true }],
    ['old', { type: 'succeed', result: 'done' }],
    ['other', { type: 'return', afterMs: 1_000, unknownKind: true }],
  ]);
  const reason = "Expected a function 'v2:run', but there are only: v1:run";
  expect(unserved).toEqual([
    ['new', reason, 1_000],
    ['new', reason, 2_000],
    ['other', reason, 1_000],
  ]);
  await work.service.received(CLAIMS, 5);
  expect(await worker.stop()).toEqual({ returned: [], abandoned: [] });
});

it.each([
  ['c', "'c'"],
  [null, 'none'],
])('a task at a step that the worker does not know is given back: %s', async (step, shown) => {
  worker.handle('mail', steps({ a: () => 1, b: () => 2 }));
  work.offer(claimedTask('t1', { step, steps: ['a', 'b', 'c'] }));
  await worker.start();
  await work.service.received(SETTLE);
  expect(work.verdicts).toEqual([['t1', { type: 'return', afterMs: 1_000 }]]);
  const reason = `Expected task 't1' to be at one of the steps a, b, but it is at ${shown}`;
  expect(unserved).toEqual([['t1', reason, 1_000]]);
});

it('a task at a step that the process of its own does not know is given back, for longer each time', async () => {
  worker.handle('mail', inChild(built('test/support/steps-child.ts'), { steps: ['a', 'c'] }));
  const given = claimedTask('t1', { step: 'c', steps: ['a', 'b', 'c'] });
  work.offer(given, given);
  await worker.start();
  await until(() => work.verdicts.length === 2);
  expect(work.verdicts).toEqual([
    ['t1', { type: 'return', afterMs: 1_000 }],
    ['t1', { type: 'return', afterMs: 2_000 }],
  ]);
  const reason = "Expected task 't1' to be at one of the steps a, b, but it is at 'c'";
  expect(unserved).toEqual([
    ['t1', reason, 1_000],
    ['t1', reason, 2_000],
  ]);
});

it('can be retried by a person once its history has no room to give it back', async () => {
  worker.handle('mail', steps({ a: () => 1 }));
  const { body: full } = problem(409, 'HISTORY_FULL');
  work.service.on(SETTLE, { body: { results: [{ problem: full }] } }, accepted);
  work.offer(claimedTask('t1', { step: 'c', steps: ['c'] }));
  await worker.start();
  await until(() => work.verdicts.length === 2);
  expect(work.verdicts[1]).toMatchObject(['t1', { type: 'fail', final: false, error: { class: 'bug' } }]);
});

it('waits no longer than five minutes', async () => {
  worker.handle('mail', steps({ a: () => 1 }));
  work.offer(...Array.from({ length: 11 }, () => claimedTask('t1', { step: 'c', steps: ['c'] })));
  await worker.start();
  await until(() => unserved.length === 11);
  expect(unserved.at(-1)).toMatchObject({ 2: 300_000 });
});
