import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type {
  BatchHandle,
  CommandOptions,
  EventView,
  ClaimedTask,
  Failures,
  Holds,
  Views,
  Transaction,
  TriggerHandle,
  Waybill,
} from '@waybill/client';
import { detailsOf } from '@waybill/client/words';
import { uuidv7 } from 'uuidv7';
import { main } from '../../packages/cli/src/index.js';
import { operationNamed } from '../../src/api/operations/operation.js';
import { lose, sealAs } from '../support/lost-seal.js';
import { until } from '../support/until.js';
import { type RunningService, startService } from '../support/running-service.js';

let service: RunningService;
let operations: readonly Operation[];

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

beforeAll(async () => {
  service = await startService();
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({ id: operationId, method, path })),
  );
});
afterAll(() => service.stop());

/** The object of a step. */
interface On {
  readonly queue: string;
  readonly id: string;
}

/** The methods that operate on queues and tasks, as separate requests or as parts of a transaction. */
type Steered = Pick<Waybill, 'queue' | 'task'> | Pick<Transaction, 'queue' | 'task'>;

/** One operation of people, in each way that it can be called. */
interface Step {
  readonly operation: string;
  readonly prepare: () => Promise<On>;
  /** The members of the request besides the reason. */
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly sdk: (steered: Steered, on: On, reason: string) => unknown;
  readonly cli: (on: On) => string;
}

let queues = 0;
const newQueue = async (policy: object = {}): Promise<On> => {
  const queue = `reasons-${++queues}`;
  await service.waybill.queue(queue).define(policy);
  return { queue, id: '' };
};

const queueAfter = (step: (waybill: Waybill, queue: string) => Promise<unknown>) => async (): Promise<On> => {
  const on = await newQueue();
  await step(service.waybill, on.queue);
  return on;
};

const newTask = async (options: object = {}, policy: object = {}): Promise<On> => {
  const { queue } = await newQueue(policy);
  return { queue, id: (await service.waybill.queue(queue).enqueue({ to: 'ann' }, options)).id };
};

const AWAITED = '0198c0de-0000-7000-8000-00000000000a';
const dependentTask = async (): Promise<On> => {
  const awaited = service.waybill.queue('reasons-awaited');
  await awaited.define({});
  await awaited.enqueue(null, { id: AWAITED });
  return newTask({ after: [{ task: AWAITED }] });
};
const pendingTask = (): Promise<On> => newTask();
const runningTask = async (policy: object = {}): Promise<On & ClaimedTask> => {
  const on = await newTask({}, policy);
  const [claimedTask] = await service.waybill.queue(on.queue).claim({ worker: 'w', waitMs: 60_000 });
  return { ...claimedTask!, ...on };
};
const failedTask = async (policy: object = {}): Promise<On> => {
  const { queue, id, taskId, token } = await runningTask(policy);
  await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error: { message: 'm' } } }]);
  return { queue, id };
};

const STEPS: readonly Step[] = [
  {
    operation: 'defineQueue',
    prepare: async () => ({ queue: `reasons-${++queues}`, id: '' }),
    sdk: (to, { queue }, reason) => to.queue(queue).define({}, { reason }),
    cli: ({ queue }) => `queue define ${queue}`,
  },
  {
    operation: 'defineQueue',
    prepare: () => newQueue(),
    body: { policy: { maxLost: 9 }, replace: true },
    sdk: (to, { queue }, reason) => to.queue(queue).define({ maxLost: 9 }, { replace: true, reason }),
    cli: ({ queue }) => `queue define ${queue} --policy {"maxLost":9} --replace`,
  },
  {
    operation: 'changePolicy',
    prepare: () => newQueue(),
    body: { maxLost: 9 },
    headers: { 'if-match': '"1"' },
    sdk: (to, { queue }, reason) => to.queue(queue).changePolicy({ maxLost: 9 }, { ifVersion: 1, reason }),
    cli: ({ queue }) => `queue change ${queue} {"maxLost":9}`,
  },
  {
    operation: 'setLimit',
    prepare: () => newQueue(),
    body: { label: 'customer', value: 'acme', maxRunning: 2 },
    sdk: (to, { queue }, reason) =>
      to.queue(queue).setLimit({ label: 'customer', value: 'acme', maxRunning: 2 }, { reason }),
    cli: ({ queue }) => `limit set ${queue} customer=acme --max-running 2`,
  },
  {
    operation: 'unsetLimit',
    prepare: queueAfter((waybill, queue) => waybill.queue(queue).setLimit({ label: 'customer', maxRunning: 2 })),
    body: { label: 'customer' },
    sdk: (to, { queue }, reason) => to.queue(queue).unsetLimit({ label: 'customer' }, { reason }),
    cli: ({ queue }) => `limit unset ${queue} customer`,
  },
  {
    operation: 'pauseQueue',
    prepare: () => newQueue(),
    sdk: (to, { queue }, reason) => to.queue(queue).pause({ reason }),
    cli: ({ queue }) => `queue pause ${queue}`,
  },
  {
    operation: 'resumeQueue',
    prepare: queueAfter((waybill, queue) => waybill.queue(queue).pause()),
    sdk: (to, { queue }, reason) => to.queue(queue).resume({ reason }),
    cli: ({ queue }) => `queue resume ${queue}`,
  },
  {
    operation: 'closeIntake',
    prepare: () => newQueue(),
    sdk: (to, { queue }, reason) => to.queue(queue).closeIntake({ reason }),
    cli: ({ queue }) => `queue close-intake ${queue}`,
  },
  {
    operation: 'openIntake',
    prepare: queueAfter((waybill, queue) => waybill.queue(queue).closeIntake()),
    sdk: (to, { queue }, reason) => to.queue(queue).openIntake({ reason }),
    cli: ({ queue }) => `queue open-intake ${queue}`,
  },
  {
    operation: 'finishQueue',
    prepare: () => newQueue(),
    sdk: (to, { queue }, reason) => to.queue(queue).finish({ reason }),
    cli: ({ queue }) => `queue finish ${queue}`,
  },
  {
    operation: 'reopenQueue',
    prepare: queueAfter((waybill, queue) => waybill.queue(queue).finish()),
    sdk: (to, { queue }, reason) => to.queue(queue).reopen({ reason }),
    cli: ({ queue }) => `queue reopen ${queue}`,
  },
  {
    operation: 'deleteQueue',
    prepare: () => newQueue(),
    sdk: (to, { queue }, reason) => to.queue(queue).delete({ reason }),
    cli: ({ queue }) => `queue delete ${queue}`,
  },
  {
    operation: 'submitTask',
    prepare: () => newTask({ prepared: true }),
    sdk: (to, { id }, reason) => to.task(id).submit({ reason }),
    cli: ({ id }) => `task submit ${id}`,
  },
  {
    operation: 'holdTask',
    prepare: pendingTask,
    sdk: (to, { id }, reason) => to.task(id).hold({ reason }),
    cli: ({ id }) => `task hold ${id}`,
  },
  {
    operation: 'holdTask',
    prepare: () => runningTask(),
    sdk: (to, { id }, reason) => to.task(id).hold({ reason }),
    cli: ({ id }) => `task hold ${id}`,
  },
  {
    operation: 'releaseTask',
    prepare: () => newTask({ hold: {} }),
    sdk: (to, { id }, reason) => to.task(id).release({ reason }),
    cli: ({ id }) => `task release ${id}`,
  },
  {
    operation: 'retryTask',
    prepare: () => failedTask(),
    sdk: (to, { id }, reason) => to.task(id).retry({ reason }),
    cli: ({ id }) => `task retry ${id}`,
  },
  ...(['retry', 'fail'] as const).map((decision) => ({
    operation: 'decideTask',
    prepare: () => failedTask({ onFailure: 'decide' }),
    body: { decision },
    sdk: (to: Steered, { id }: On, reason: string) => to.task(id).decide(decision, { reason }),
    cli: ({ id }: On) => `task decide ${decision} ${id}`,
  })),
  {
    operation: 'cancelTask',
    prepare: pendingTask,
    sdk: (to, { id }, reason) => to.task(id).cancel({ reason }),
    cli: ({ id }) => `task cancel ${id}`,
  },
  {
    operation: 'abortTask',
    prepare: pendingTask,
    sdk: (to, { id }, reason) => to.task(id).abort({ reason }),
    cli: ({ id }) => `task abort ${id}`,
  },
  {
    operation: 'prioritiseTask',
    prepare: pendingTask,
    body: { priority: 7 },
    sdk: (to, { id }, reason) => to.task(id).prioritise(7, { reason }),
    cli: ({ id }) => `task prioritise 7 ${id}`,
  },
  {
    operation: 'rescheduleTask',
    prepare: pendingTask,
    body: { dueAt: '2099-01-01T00:00:00Z' },
    sdk: (to, { id }, reason) => to.task(id).reschedule('2099-01-01T00:00:00Z', { reason }),
    cli: ({ id }) => `task reschedule 2099-01-01 ${id}`,
  },
  {
    operation: 'amendTask',
    prepare: pendingTask,
    body: { payload: { to: 'bob' } },
    sdk: (to, { id }, reason) => to.task(id).amend({ to: 'bob' }, { reason }),
    cli: ({ id }) => `task amend {"to":"bob"} ${id}`,
  },
  {
    operation: 'signalTask',
    prepare: pendingTask,
    body: { signal: 'approved' },
    sdk: (to, { id }, reason) => to.task(id).signal('approved', undefined, { reason }),
    cli: ({ id }) => `task signal approved ${id}`,
  },
  {
    operation: 'annotateTask',
    prepare: pendingTask,
    body: { data: { ark: 'ark:/1/2' } },
    sdk: (to, { id }, reason) => to.task(id).annotate({ ark: 'ark:/1/2' }, { reason }),
    cli: ({ id }) => `task annotate {"ark":"ark:/1/2"} ${id}`,
  },
  {
    operation: 'arrangeTask',
    prepare: dependentTask,
    body: { waive: [AWAITED] },
    sdk: (to, { id }, reason) => to.task(id).arrange({ waive: [AWAITED] }, { reason }),
    cli: ({ id }) => `task arrange --waive ${AWAITED} ${id}`,
  },
  {
    operation: 'overruleTask',
    prepare: () => runningTask(),
    body: { verdict: 'succeed' },
    sdk: (to, { id }, reason) => to.task(id).overrule('succeed', reason),
    cli: ({ id }) => `task overrule succeed ${id}`,
  },
  {
    operation: 'deleteTask',
    prepare: pendingTask,
    sdk: (to, { id }, reason) => to.task(id).delete({ reason }),
    cli: ({ id }) => `task delete ${id}`,
  },
];

const REASON = 'the mail server – “neu” – is being moved';

/** Each way to carry out a step. */
const WAYS: Readonly<Record<string, (step: Step, on: On) => Promise<unknown>>> = {
  'over HTTP': async ({ operation, body, headers }, { queue, id }) => {
    const { method, path } = operations.find((one) => one.id === operation)!;
    const url = new URL(path.replace('{queue}', queue).replace('{id}', id), service.url);
    const isDeletion = method === 'delete';
    if (isDeletion) url.searchParams.set('reason', REASON);
    const response = await fetch(url, {
      method: method.toUpperCase(),
      headers: { ...headers, ...(!isDeletion && { 'content-type': 'application/json' }) },
      ...(!isDeletion && { body: JSON.stringify({ ...body, reason: REASON }) }),
    });
    expect([response.status < 300, await response.json()]).toMatchObject([true, { recorded: true }]);
  },
  'through the client': async ({ sdk }, on) => sdk(service.waybill, on, REASON),
  'in a transaction': ({ sdk }, on) => service.waybill.transaction((tx) => void sdk(tx, on, REASON)),
  'on the command line': async ({ cli }, on) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const said = Promise.all([text(stdout), text(stderr)]);
    const words = [...cli(on).split(' '), '--reason', REASON, '--json'];
    const env = { WAYBILL_URL: service.url };
    const terminal = stdout as unknown as NodeJS.WriteStream;
    const code = await main(words, { stdin: Readable.from([]), stdout: terminal, stderr, env });
    for (const stream of [stdout, stderr]) stream.end();
    const [out, err] = await said;
    expect([code, JSON.parse(out), err]).toMatchObject([0, { recorded: true }, '']);
  },
};

async function latestEvent(queue: string): Promise<EventView> {
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ queue })) latest = event;
  return latest!;
}

/** A transaction contains none of these. */
const BATCH_STEPS = [
  [
    'createBatch',
    'BatchCreated',
    (batch: BatchHandle) => service.waybill.planBatch({ id: batch.id, name: 'b' }).create({ reason: REASON }),
  ],
  ['openBatch', 'BatchOpened', (batch: BatchHandle) => batch.open(0, { reason: REASON })],
  ['abortBatch', 'BatchAborted', (batch: BatchHandle) => batch.abort({ reason: REASON })],
  ['deleteBatch', 'BatchDeleted', (batch: BatchHandle) => batch.delete({ reason: REASON })],
] as const;

it.each(BATCH_STEPS)('is in the history after %s', async (operation, type, carryOut) => {
  const batch = service.waybill.batch(uuidv7());
  if (operation !== 'createBatch') await service.waybill.planBatch({ id: batch.id, name: 'b' }).create();
  await carryOut(batch);
  for await (const event of service.waybill.events({ category: 'batch' })) {
    // An open batch without tasks ends by itself.
    if (event.stream !== `batch-${batch.id}` || event.type !== type) continue;
    expect(event.envelope.reason).toBe(REASON);
    return;
  }
  throw new Error(`Expected the batch to have a '${type}', but it has none`);
});

/** A batch whose one task has failed. */
async function failedBatch(reRunReporting: 'update' | 'rerun-batch'): Promise<BatchHandle> {
  const { queue } = await newQueue();
  const plan = service.waybill.planBatch({ name: 'b', reRunReporting });
  plan.add(queue, 1);
  const batch = await plan.submit();
  const [task] = await service.waybill.queue(queue).claim({ worker: 'w1', waitMs: 60_000 });
  const verdict = { type: 'fail', error: { message: 'no', class: 'business' } } as const;
  await service.waybill.settle([{ taskId: task!.taskId, token: task!.token, verdict }]);
  await until('the batch to fail', async () => ((await batch.get()).state === 'failed' ? true : null));
  return batch;
}

/** A batch whose planner a person holds. */
async function heldBatch(): Promise<BatchHandle> {
  const { queue } = await newQueue();
  const batch = await service.waybill.createBatch({ name: 'b', plan: { queue } });
  for (const { id } of (await service.waybill.tasks.page({ queue })).items) await service.waybill.task(id).hold();
  return batch;
}

const ENDED_BATCH_STEPS = [
  [
    'releaseBatch',
    () => heldBatch(),
    (batch: BatchHandle, by: CommandOptions) => batch.release({ ...by, reason: REASON }),
  ],
  [
    'requestReport',
    () => failedBatch('update'),
    (batch: BatchHandle, by: CommandOptions) => batch.report({ ...by, reason: REASON }),
  ],
  [
    'rerunBatch',
    () => failedBatch('rerun-batch'),
    (batch: BatchHandle, by: CommandOptions) => batch.rerun({ ...by, reason: REASON }),
  ],
] as const;

it.each(ENDED_BATCH_STEPS)('is in the history after %s', async (_, before, carryOut) => {
  const batch = await before();
  const { position: after } = await service.waybill.queue(`after-${uuidv7()}`).define();
  // What the service itself does meanwhile, such as for the batch of the test before, is of other requests.
  const requestId = uuidv7();
  await carryOut(batch, { requestId });
  for await (const { envelope } of service.waybill.events({ after })) {
    if (envelope.correlationId !== requestId) continue;
    expect(envelope.reason).toBe(REASON);
    return;
  }
  throw new Error('Expected an event of the command, but there is none');
});

const TRIGGER = { cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: 'yearly' } };

/** A transaction contains none of these either. */
const TRIGGER_STEPS = [
  ['defineTrigger', (trigger: TriggerHandle) => trigger.define({ ...TRIGGER, description: 'x' }, { reason: REASON })],
  ['disableTrigger', (trigger: TriggerHandle) => trigger.disable({ reason: REASON })],
  ['enableTrigger', (trigger: TriggerHandle) => trigger.enable({ reason: REASON })],
  ['fireTrigger', (trigger: TriggerHandle) => trigger.fire({ reason: REASON })],
  ['deleteTrigger', (trigger: TriggerHandle) => trigger.delete({ reason: REASON })],
] as const;

it.each(TRIGGER_STEPS)('is in the history after %s', async (operation, carryOut) => {
  await service.waybill.queue(TRIGGER.task.queue).define();
  const trigger = service.waybill.trigger(uuidv7());
  await trigger.define(TRIGGER);
  if (operation === 'enableTrigger') await trigger.disable();
  await carryOut(trigger);
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ category: 'trigger' })) latest = event;
  expect(latest!.envelope.reason).toBe(REASON);
});

const SYSTEM_STEPS = [
  ['drainSystem', () => service.waybill.system.drain({ reason: REASON })],
  ['resumeSystem', () => service.waybill.system.resume({ reason: REASON })],
] as const;

it.each(SYSTEM_STEPS)('is in the history after %s', async (_, carryOut) => {
  await carryOut();
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ category: 'system' })) latest = event;
  expect(latest!.envelope.reason).toBe(REASON);
});

it('is in the history after retireLogKey', async () => {
  await sealAs(service.pool, 'waybill/retired');
  await service.waybill.log.newKey('waybill/retired', REASON);
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ category: 'notary' })) latest = event;
  expect(latest!.envelope.reason).toBe(REASON);
});

it('is in the history after acceptLoss', async () => {
  await lose(service.pool, 3);
  await service.waybill.log.acceptLoss(3, REASON);
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ category: 'notary' })) latest = event;
  expect(latest!.envelope.reason).toBe(REASON);
});

it('is in the history after startBulkOperation', async () => {
  const { queue } = await newQueue();
  const { id: task } = await service.waybill.queue(queue).enqueue();
  const { id } = await service.waybill.operate('hold', { tasks: [task] }, { reason: REASON });
  const [ordered] = await service.waybill.task(id!).history();
  expect(ordered!.envelope.reason).toBe(REASON);
});

it('is in the history after startErasure', async () => {
  const { queue } = await newQueue();
  const { id: task } = await service.waybill.queue(queue).enqueue();
  const { id } = await service.waybill.erase({ task }, REASON);
  const [ordered] = await service.waybill.task(id!).history();
  expect(ordered!.envelope.reason).toBe(REASON);
});

it('is in the history after rebuildProjection', async () => {
  const { id } = await service.waybill.rebuildProjection('queue-stats', 'diff', { reason: REASON });
  const [ordered] = await service.waybill.task(id).history();
  expect(ordered!.envelope.reason).toBe(REASON);
});

it('is in the history after undoBulkOperation', async () => {
  const { queue } = await newQueue();
  const { id: task } = await service.waybill.queue(queue).enqueue();
  const operation = await service.waybill.operate('hold', { tasks: [task] });
  await until('the operation to end', async () =>
    (await service.waybill.task(operation.id!).get()).state === 'succeeded' ? true : null,
  );
  const { id } = await service.waybill.undo(operation.id!, { reason: REASON });
  const [ordered] = await service.waybill.task(id!).history();
  expect(ordered!.envelope.reason).toBe(REASON);
});

it('is in the history after runTaskAgain', async () => {
  const { id: failed } = await failedTask();
  const { id } = await service.waybill.task(failed).runAgain(REASON);
  const [submitted] = await service.waybill.task(id).history();
  expect(submitted!.envelope.reason).toBe(REASON);
});

it('is in the history after startDelivery', async () => {
  const mail = { to: ['ann@example.com'], subject: 's', text: 't' };
  const { id } = await service.waybill.deliver({ mail }, { reason: REASON });
  const [ordered] = await service.waybill.task(id).history();
  expect(ordered!.envelope.reason).toBe(REASON);
});

const HOLD_STEPS = [
  ['placeHold', (holds: Holds) => holds.place('maps', { collection: 'maps' }, { reason: REASON })],
  ['liftHold', (holds: Holds) => holds.lift('maps', { reason: REASON })],
] as const;

it.each(HOLD_STEPS)('is in the history after %s', async (operation, carryOut) => {
  const { holds } = service.waybill;
  if (operation === 'liftHold') await holds.place('maps', { collection: 'maps' });
  await carryOut(holds);
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ category: 'hold' })) latest = event;
  expect(latest!.envelope.reason).toBe(REASON);
});

const VIEW_STEPS = [
  ['saveView', (views: Views) => views.save('late', { q: 'state:failed' }, { reason: REASON })],
  ['deleteView', (views: Views) => views.delete('late', { reason: REASON })],
] as const;

it.each(VIEW_STEPS)('is in the history after %s', async (operation, carryOut) => {
  const { views } = service.waybill;
  if (operation === 'deleteView') await views.save('late', { q: 'state:running' });
  await carryOut(views);
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ category: 'view' })) latest = event;
  expect(latest!.envelope.reason).toBe(REASON);
});

const FAILURE_STEPS = [
  ['resolveFailureGroup', (failures: Failures, group: string) => failures.resolve(group, { reason: REASON })],
  ['ignoreFailureGroup', (failures: Failures, group: string) => failures.ignore(group, { reason: REASON })],
  ['reopenFailureGroup', (failures: Failures, group: string) => failures.reopen(group, { reason: REASON })],
] as const;

it.each(FAILURE_STEPS)('is in the history after %s', async (operation, carryOut) => {
  const { failures } = service.waybill;
  const group = await groupOfFailure();
  if (operation === 'reopenFailureGroup') await failures.ignore(group);
  await carryOut(failures, group);
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ category: 'failure' })) latest = event;
  expect(latest!.envelope.reason).toBe(REASON);
});

async function groupOfFailure(): Promise<string> {
  await service.waybill.queue('failing').define();
  const { taskId, token } = await service.waybill.queue('failing').start({ worker: 'w1' });
  const error = { message: 'disk full' };
  await service.waybill.settle([{ taskId, token, verdict: { type: 'fail', error } }]);
  return until('the failure to have a group', async () => {
    for await (const { id } of service.waybill.failures.list({ queue: 'failing' })) return id;
    return null;
  });
}

const RESOURCE_STEPS = [
  ['defineResource', ({ resources }: Waybill) => resources.define('disk', {}, { reason: REASON })],
  ['deleteResource', ({ resources }: Waybill) => resources.delete('disk', { reason: REASON })],
] as const;

it.each(RESOURCE_STEPS)('is in the history after %s', async (_, carryOut) => {
  await carryOut(service.waybill);
  let latest: EventView | null = null;
  for await (const event of service.waybill.events({ category: 'resource' })) latest = event;
  expect(latest!.envelope.reason).toBe(REASON);
});

it('is accepted by every command of people that the API has', () => {
  const others = new Set([
    'enqueueTask',
    'enqueueTasks',
    'startTask',
    'runTransaction',
    'previewCommand',
    'startBulkOperation',
    'undoBulkOperation',
    'startDelivery',
    'runTaskAgain',
    'replayTrigger',
    'rebuildProjection',
    'startErasure',
    'acceptLoss',
    'retireLogKey',
    // Its sender has no reason to give.
    'takeDelivery',
    // Records nothing.
    'createFollowToken',
    ...BATCH_STEPS.map(([operation]) => operation),
    ...ENDED_BATCH_STEPS.map(([operation]) => operation),
    ...TRIGGER_STEPS.map(([operation]) => operation),
    ...RESOURCE_STEPS.map(([operation]) => operation),
    ...FAILURE_STEPS.map(([operation]) => operation),
    ...HOLD_STEPS.map(([operation]) => operation),
    ...VIEW_STEPS.map(([operation]) => operation),
    ...SYSTEM_STEPS.map(([operation]) => operation),
  ]);
  const ofPeople = operations
    .filter(({ id, method }) => method !== 'get' && !others.has(id) && !operationNamed(id).permissions.includes('work'))
    .map(({ id }) => id);
  expect([...new Set(STEPS.map(({ operation }) => operation))].sort()).toEqual(ofPeople.sort());
});

describe.each(Object.entries(WAYS))('a reason given %s', (_, carryOut) => {
  it.each(STEPS.map((step) => [step.operation, step] as const))('is in the history after %s (%#)', async (__, step) => {
    const on = await step.prepare();
    await carryOut(step, on);
    const event = await latestEvent(on.queue);
    expect(event.envelope.reason).toBe(REASON);
    expect(detailsOf(event)).toContain(REASON);
    expect(detailsOf(event).split(REASON)).toHaveLength(2);
  });
});
