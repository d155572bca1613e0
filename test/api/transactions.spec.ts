import { OPERATIONS, type OperationId } from '@waybill/client';
import { readFileSync } from 'node:fs';
import { Refused } from '../../src/application/kernel/application-error.js';
import { RunTransaction } from '../../src/application/transactions/run-transaction.handler.js';
import { ChangePolicy } from '../../src/application/queues/change-policy.handler.js';
import { DefineQueue } from '../../src/application/queues/define-queue.handler.js';
import { OperateQueue } from '../../src/application/queues/operate-queue.handler.js';
import { OperateTask } from '../../src/application/tasks/operate-task.handler.js';
import { transactionOperations } from '../../src/api/operations/operation.js';
import { fakeApplication, type FakeApplication } from './fake-application.js';

const ID = '019a7f3e-6c1b-7d44-9e21-5a0c1b2d3e4f';
const CONTEXT = { actor: 'ann', correlationId: 'r-1' };
const RESULT = { id: ID, revision: 0, recorded: true };

let api: FakeApplication;
beforeAll(async () => (api = await fakeApplication()));
afterAll(() => api.app.close());
beforeEach(() => {
  api.commands.forget();
  api.commands.answer(RunTransaction, () => ({ results: [RESULT], position: '42', replayed: false }));
});

const post = (body: object, headers: object = {}) =>
  api.app.inject({
    method: 'POST',
    url: '/v1/transactions',
    headers: { 'waybill-actor': 'ann', 'x-request-id': 'r-1', ...headers },
    payload: body,
  });

const given = () => api.commands.executed[0] as RunTransaction;

it('passes on each command like a separate request', async () => {
  const token = `7.${ID}`;
  const response = await post({
    commands: [
      { operation: 'enqueueTask', queue: 'mail', body: { id: ID, dueAt: '2026-11-28T10:00:00+02:00', payload: 1 } },
      { operation: 'succeedTask', id: ID, body: { token, result: 5 } },
      { operation: 'holdTask', id: ID, body: { reason: 'r' } },
      { operation: 'deleteTask', id: ID, body: { force: true, reason: 'r' } },
      { operation: 'pauseQueue', queue: 'mail', body: { reason: 'r' } },
      { operation: 'openIntake', queue: 'mail' },
      { operation: 'defineQueue', queue: 'mail', body: { description: 'd', policy: { concurrency: 0 } } },
      { operation: 'changePolicy', queue: 'mail', ifVersion: 3, body: { concurrency: 2 } },
      { operation: 'finishQueue', queue: 'mail' },
      { operation: 'deleteQueue', queue: 'mail' },
    ],
  });
  expect([response.statusCode, response.json()]).toEqual([200, { results: [RESULT], position: '42' }]);
  const [enqueue, settle, ...operate] = given().steps;
  const dueAt = '2026-11-28T08:00:00.000Z';
  expect(enqueue).toEqual({ kind: 'enqueue', item: { queue: 'mail', taskId: ID, dueAt, payload: 1 } });
  expect(settle).toEqual({
    kind: 'settle',
    item: { taskId: ID, token, verdict: { type: 'succeed', result: 5 } },
  });
  expect(operate.map((step) => step.kind === 'operate' && step.command(CONTEXT))).toEqual([
    new OperateTask(ID, { type: 'HoldTask', reason: 'r' }, { ...CONTEXT, reason: 'r' }),
    new OperateTask(ID, { type: 'DeleteTask', force: true }, { ...CONTEXT, reason: 'r' }),
    new OperateQueue('mail', { type: 'PauseQueue', reason: 'r', until: null }, { ...CONTEXT, reason: 'r' }),
    new OperateQueue('mail', { type: 'OpenIntake' }, CONTEXT),
    new DefineQueue('mail', 'd', { concurrency: 'serial' }, CONTEXT),
    new ChangePolicy('mail', null, { concurrency: { perServer: 2 } }, 3, CONTEXT),
    new OperateQueue('mail', { type: 'FinishQueue' }, CONTEXT),
    new OperateQueue('mail', { type: 'DeleteQueue' }, CONTEXT),
  ]);
});

it('excludes only operations that claim or extend, contain several themselves, run a task again, or are of batches, triggers, holds, resources, failures, the system or many tasks', () => {
  const { paths } = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
    paths: Record<string, Record<string, { operationId?: string }>>;
  };
  const changing = Object.values(paths).flatMap((methods) =>
    Object.entries(methods).flatMap(([method, { operationId }]) => (method === 'get' ? [] : [operationId!])),
  );
  const alone = changing.filter((operation) => !transactionOperations().includes(operation));
  // A follow token records nothing.
  const giving = ['createFollowToken', 'claimTasks', 'extendLease', 'extendLeases', 'checkLeases', 'startTask'];
  const ofBatches = [
    'createBatch',
    'openBatch',
    'abortBatch',
    'deleteBatch',
    'releaseBatch',
    'requestReport',
    'rerunBatch',
  ];
  const ofResources = ['defineResource', 'deleteResource', 'measureResource'];
  const ofTriggers = [
    'defineTrigger',
    'deleteTrigger',
    'enableTrigger',
    'disableTrigger',
    'fireTrigger',
    'replayTrigger',
    'takeDelivery',
  ];
  const ofHolds = ['placeHold', 'liftHold'];
  const ofViews = ['saveView', 'deleteView'];
  const ofFailures = ['resolveFailureGroup', 'ignoreFailureGroup', 'reopenFailureGroup'];
  const ofSystem = ['drainSystem', 'resumeSystem', 'rebuildProjection', 'startErasure', 'acceptLoss', 'retireLogKey'];
  const several = [
    'enqueueTasks',
    'runTransaction',
    'settleTasks',
    'takeTurn',
    'startBulkOperation',
    'startDelivery',
    'previewCommand',
  ];
  const again = ['runTaskAgain', 'undoBulkOperation'];
  const ofOthers = [...ofBatches, ...ofTriggers, ...ofHolds, ...ofViews, ...ofResources, ...ofFailures, ...ofSystem];
  expect(alone.sort()).toEqual([...giving, ...several, ...again, ...ofOthers].sort());
});

it.each([
  ['/commands', { commands: [] }],
  ['/commands', { commands: Array.from({ length: 1_001 }, () => ({ operation: 'submitTask', id: ID })) }],
  ['/commands/0/operation', { commands: [{ operation: 'claimTasks', queue: 'mail' }] }],
  ['/commands/0/queue', { commands: [{ operation: 'enqueueTask' }] }],
  ['/commands/0/queue', { commands: [{ operation: 'pauseQueue', id: ID }] }],
  ['/commands/0/ifVersion', { commands: [{ operation: 'changePolicy', queue: 'mail', body: {} }] }],
  ['/commands/0/ifVersion', { commands: [{ operation: 'changePolicy', queue: 'mail', ifVersion: 0, body: {} }] }],
  ['/commands/0/ifVersion', { commands: [{ operation: 'defineQueue', queue: 'mail', ifVersion: 1 }] }],
  ['/commands/0/body/leaseMs', { commands: [{ operation: 'defineQueue', queue: 'mail', body: { leaseMs: 5 } }] }],
  [
    '/commands/0/body/leaseMs',
    { commands: [{ operation: 'changePolicy', queue: 'mail', ifVersion: 1, body: { leaseMs: 5 } }] },
  ],
  ['/commands/1/id', { commands: [{ operation: 'submitTask', id: ID }, { operation: 'submitTask' }] }],
  ['/commands/0/body/priority', { commands: [{ operation: 'enqueueTask', queue: 'mail', body: { priority: '1' } }] }],
  ['/commands/0/body/token', { commands: [{ operation: 'succeedTask', id: ID }] }],
  ['/commands/0/body/force', { commands: [{ operation: 'deleteTask', id: ID, body: { force: 1 } }] }],
])('names %s as the fault', async (pointer, body) => {
  const response = await post(body);
  expect(response.statusCode).toBe(400);
  expect(response.json()).toMatchObject({ code: 'INVALID_INPUT', errors: [{ pointer }] });
  expect(api.commands.executed).toEqual([]);
});

describe.each(transactionOperations())('%s', (operation) => {
  const isOnQueue = OPERATIONS[operation as OperationId].path.startsWith('/v1/queues');
  const target = isOnQueue ? { queue: 'mail' } : { id: ID };
  const version = operation === 'changePolicy' ? { ifVersion: 1 } : {};

  it.each<[string, object]>([
    [isOnQueue ? '/id' : '/queue', isOnQueue ? { id: ID } : { queue: 'mail' }],
    ['/body/unknown', { body: { unknown: 1 } }],
    ...(operation === 'changePolicy' ? [] : [['/ifVersion', { ifVersion: 1 }] as [string, object]]),
  ])('refuses %s, which nothing would read', async (member, more) => {
    const response = await post({ commands: [{ operation, ...target, ...version, ...more }] });
    expect(response.statusCode).toBe(400);
    expect(response.json().errors).toContainEqual(expect.objectContaining({ pointer: `/commands/0${member}` }));
    expect(api.commands.executed).toEqual([]);
  });
});

it('names the command that was refused', async () => {
  api.commands.answer(RunTransaction, () => {
    throw new Refused({ code: 'TASK_NOT_FOUND' }, 3);
  });
  const response = await post({ commands: [{ operation: 'submitTask', id: ID }] });
  expect(response.json()).toMatchObject({ code: 'TASK_NOT_FOUND', status: 404, index: 3 });
});

it('is recognised by its body under an idempotency key', async () => {
  const commands = [{ operation: 'submitTask', id: ID }];
  for (const body of [{ commands }, { commands: [...commands, ...commands] }])
    await post(body, { 'idempotency-key': 'k' });
  const [first, second] = api.commands.executed.map((one) => (one as RunTransaction).context.idempotencyKey!);
  expect(first!.key).toBe('k');
  expect(second!.fingerprint).not.toBe(first!.fingerprint);
});
