import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Answer,
  type ClaimedTask,
  type CommandPreview,
  HttpTransport,
  OPERATIONS,
  type OperationId,
  type PolicyChanges,
  type SettleVerdict,
  type Transport,
} from '@waybill/client';
import { uuidv7 } from 'uuidv7';
import { type RunningService, startService } from '../support/running-service.js';
import { lose, sealAs } from '../support/lost-seal.js';
import { sizeOf } from '../support/sizes.js';
import { until } from '../support/until.js';

/** The operations that list the header in the document of the API. */
const { paths, components } = JSON.parse(readFileSync(join(__dirname, '../../openapi.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Documented>>>>;
  readonly components: {
    readonly schemas: {
      readonly PreviewRequest: {
        readonly properties: { readonly operation: { readonly enum: readonly OperationId[] } };
      };
    };
  };
};
interface Documented {
  readonly operationId: OperationId;
  readonly parameters?: readonly { readonly name: string }[];
}
const LISTED = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
  .map(({ operationId }) => operationId);

/** A request that is given twice. */
interface Case {
  readonly on?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Another body of the same operation. */
  readonly other?: object;
  /** What somebody else does after the first request, whose answer it gets: it undoes the effect, or goes on from there. */
  readonly undo: (first: any) => Promise<unknown>;
  /** The effect: the path of its page, or what shows it. */
  readonly look: string | (() => Promise<unknown>);
}

let service: RunningService;
let transport: Transport;
beforeAll(async () => {
  service = await startService({ webhookSecrets: { shop: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } } as never);
  transport = new HttpTransport({ url: service.url });
});
afterEach(() => service.waybill.system.resume());
afterAll(() => service.stop());

const task = (id: string) => service.waybill.task(id);
const batch = (id: string) => service.waybill.batch(id);
const queue = (name: string) => service.waybill.queue(name);

async function newQueue(policy: PolicyChanges = {}): Promise<string> {
  const name = `q-${uuidv7()}`;
  await queue(name).define(policy);
  return name;
}

async function newTask(options: object = {}, policy: PolicyChanges = {}): Promise<string> {
  return (await queue(await newQueue(policy)).enqueue(null, options)).id;
}

/** A task that has ended one attempt by the verdict. */
async function ranTask(verdict: 'fail' | 'succeed', policy: PolicyChanges = {}): Promise<string> {
  const id = await newTask({}, policy);
  await run((await task(id).get()).queue, verdict);
  return id;
}

/** What nothing undoes: its queue goes, with all of its tasks. */
async function deleteQueueOf(id: string): Promise<void> {
  const { queue: name } = await task(id).get();
  await queue(name).deleteWithTasks();
  await until('the queue to be deleted', async () => (await isGone(`/v1/queues/${name}`)) || null);
}

async function run(name: string, verdict: 'fail' | 'succeed'): Promise<void> {
  const [claimed] = await queue(name).claim({ worker: 'w1', waitMs: 60_000 });
  const { taskId, token } = claimed!;
  const error = { message: 'disk full' };
  const given = verdict === 'fail' ? ({ type: 'fail', error } as const) : ({ type: 'succeed' } as const);
  await service.waybill.settle([{ taskId, token, verdict: given }]);
}

/** A case without what is the same for all of its kind. */
type Own = Pick<Case, 'undo'> & Partial<Case>;

const onTask = (id: string, more: Own): Case => ({ on: { id }, look: `/v1/tasks/${id}`, ...more });
const onQueue = (name: string, more: Own): Case => ({
  on: { queue: name },
  look: `/v1/queues/${name}`,
  ...more,
});

const failures = () => service.waybill.failures;

/** A group of failures of its own, with what people say of it. */
async function onGroup(say: {
  before?: (group: string) => Promise<unknown>;
  undo: (group: string) => Promise<unknown>;
}): Promise<Case> {
  const id = await newTask();
  const { queue: name } = await task(id).get();
  const [claimed] = await queue(name).claim({ worker: 'w1', waitMs: 60_000 });
  // Letters alone: a group leaves out numbers and ids.
  const error = { message: name.replaceAll(/\W/g, '').replaceAll(/\d/g, (digit) => 'ghijklmnop'[Number(digit)]!) };
  await service.waybill.settle([{ taskId: id, token: claimed!.token, verdict: { type: 'fail', error } }]);
  const group = await until('the failure to have a group', async () => {
    for await (const { id: found } of failures().list({ queue: name })) return found;
    return null;
  });
  await say.before?.(group);
  return {
    on: { group },
    look: () => saidOf(group),
    body: { reason: 'a' },
    other: { reason: 'b' },
    undo: () => say.undo(group),
  };
}

/** By the log, because its page follows. */
async function saidOf(group: string): Promise<readonly string[]> {
  const types: string[] = [];
  for await (const { type } of service.waybill.events({ category: 'failure', name: group })) types.push(type);
  return types;
}

async function saidOfLog(): Promise<readonly string[]> {
  const positions: string[] = [];
  for await (const { position } of service.waybill.events({ category: 'notary' })) positions.push(position);
  return positions;
}

async function newBatch(): Promise<string> {
  const { id } = await service.waybill.planBatch({ name: 'nightly' }).create();
  return id;
}

/** A batch whose only task has failed. */
async function failedBatch(more: object = {}): Promise<string> {
  const { id } = await service.waybill.planBatch({ name: 'nightly', ...more }).create();
  const name = await newQueue();
  await queue(name).enqueue(null, { batch: id });
  await batch(id).open(1);
  await run(name, 'fail');
  await until('the batch to fail', async () => ((await batch(id).get()).state === 'failed' ? true : null));
  return id;
}

const onBatch = (id: string, more: Own): Case => ({ on: { id }, look: `/v1/batches/${id}`, ...more });

/** A batch whose planner somebody holds. */
async function heldBatch(): Promise<{ readonly id: string; readonly planner: string }> {
  const { id } = await service.waybill.createBatch({ name: 'planned', plan: { queue: await newQueue() } });
  const { planner } = await batch(id).get();
  await task(planner!).hold();
  return { id, planner: planner! };
}

async function deleteBatch(id: string, planner: string): Promise<void> {
  await batch(id).delete();
  await until('its planner to be deleted', async () => ((await task(planner).get()).state === 'deleted' ? true : null));
}

async function newTrigger(): Promise<string> {
  const name = `t-${uuidv7()}`;
  await service.waybill.trigger(name).define(yearly(await newQueue()));
  return name;
}

const yearly = (name: string) => ({ cron: '0 0 1 1 *', timeZone: 'UTC', task: { queue: name } }) as const;
const onTrigger = (trigger: string, more: Own): Case => ({
  on: { trigger },
  look: `/v1/triggers/${trigger}`,
  ...more,
});

async function placedHold(): Promise<string> {
  const name = `h-${uuidv7()}`;
  await service.waybill.holds.place(name, { customer: name });
  return name;
}

async function definedResource(): Promise<string> {
  const name = `r-${uuidv7()}`;
  await service.waybill.resources.define(name, { staleAfterSeconds: 60 });
  return name;
}

/** The versions of policies begin with 1. */
const FIRST_POLICY = { 'if-match': '"1"' };

const CASES: Partial<Record<OperationId, () => Promise<Case>>> = {
  defineQueue: async () => {
    const name = `q-${uuidv7()}`;
    const body = { description: 'first' };
    return onQueue(name, { body, other: { description: 'other' }, undo: () => queue(name).delete() });
  },
  deleteQueue: async () => {
    const name = await newQueue();
    return onQueue(name, {
      body: undefined,
      undo: async () => {
        await until('the queue to be deleted', async () => (await isGone(`/v1/queues/${name}`)) || null);
        await queue(name).define({});
      },
    });
  },
  changePolicy: async () => {
    const name = await newQueue();
    const undo = () => queue(name).changePolicy({ onFailure: 'fail' }, { ifVersion: 2 });
    return onQueue(name, {
      body: { onFailure: 'retry' },
      headers: FIRST_POLICY,
      other: { onFailure: 'decide' },
      undo,
    });
  },
  setLimit: async () => {
    const name = await newQueue();
    const body = { label: 'customer', maxRunning: 2 };
    const undo = () => queue(name).unsetLimit({ label: 'customer' });
    return onQueue(name, { body, other: { ...body, maxRunning: 3 }, undo });
  },
  unsetLimit: async () => {
    const name = await newQueue();
    const limit = { label: 'customer', maxRunning: 2 };
    await queue(name).setLimit(limit);
    return onQueue(name, { body: { label: 'customer' }, undo: () => queue(name).setLimit(limit) });
  },
  pauseQueue: async () => {
    const name = await newQueue();
    return onQueue(name, { body: {}, undo: () => queue(name).resume() });
  },
  resumeQueue: async () => {
    const name = await newQueue();
    await queue(name).pause();
    return onQueue(name, { body: {}, undo: () => queue(name).pause() });
  },
  closeIntake: async () => {
    const name = await newQueue();
    return onQueue(name, { body: {}, undo: () => queue(name).openIntake() });
  },
  openIntake: async () => {
    const name = await newQueue();
    await queue(name).closeIntake();
    return onQueue(name, { body: {}, undo: () => queue(name).closeIntake() });
  },
  finishQueue: async () => {
    const name = await newQueue();
    await queue(name).closeIntake();
    return onQueue(name, { body: {}, undo: () => queue(name).reopen() });
  },
  reopenQueue: async () => {
    const name = await newQueue();
    await queue(name).closeIntake();
    await queue(name).finish();
    const undo = async () => {
      await queue(name).closeIntake();
      await queue(name).finish();
    };
    return onQueue(name, { body: {}, undo });
  },
  enqueueTask: async () => {
    const name = await newQueue();
    const deleteAll = async () => {
      for (const { id } of (await tasksOf(name)).items) await task(id).delete();
    };
    return onQueue(name, {
      body: { payload: 1 },
      other: { payload: 2 },
      undo: deleteAll,
      look: `/v1/tasks?queue=${name}`,
    });
  },
  enqueueTasks: async () => {
    const name = await newQueue();
    const of = (payload: number) => ({ tasks: [{ queue: name, payload }, { queue: name }] });
    const deleteAll = async () => {
      for (const { id } of (await tasksOf(name)).items) await task(id).delete();
    };
    return { body: of(1), other: of(2), undo: deleteAll, look: `/v1/tasks?queue=${name}` };
  },
  deleteTask: async () => {
    const id = await newTask();
    return onTask(id, { body: undefined, undo: () => deleteQueueOf(id) });
  },
  submitTask: async () => {
    const id = await newTask({ prepared: true });
    return onTask(id, { body: {}, undo: () => task(id).hold() });
  },
  holdTask: async () => {
    const id = await newTask();
    return onTask(id, { body: {}, undo: () => task(id).release() });
  },
  releaseTask: async () => {
    const id = await newTask({ hold: {} });
    return onTask(id, { body: {}, undo: () => task(id).hold() });
  },
  retryTask: async () => {
    const id = await ranTask('fail');
    const { queue: name } = await task(id).get();
    return onTask(id, { body: {}, undo: () => run(name, 'fail') });
  },
  runTaskAgain: async () => {
    const id = await ranTask('fail');
    const { queue: name } = await task(id).get();
    const undo = (receipt: { id: string }) => task(receipt.id).delete();
    return onTask(id, { body: { reason: 'a' }, other: { reason: 'b' }, look: `/v1/tasks?queue=${name}`, undo });
  },
  decideTask: async () => {
    const id = await ranTask('fail', { onFailure: 'decide' });
    const { queue: name } = await task(id).get();
    return onTask(id, { body: { decision: 'retry' }, other: { decision: 'fail' }, undo: () => run(name, 'fail') });
  },
  cancelTask: async () => {
    const id = await newTask();
    return onTask(id, { body: {}, undo: () => task(id).retry() });
  },
  abortTask: async () => {
    const id = await newTask();
    return onTask(id, { body: {}, undo: () => deleteQueueOf(id) });
  },
  prioritiseTask: async () => {
    const id = await newTask();
    return onTask(id, { body: { priority: 5 }, other: { priority: 6 }, undo: () => task(id).prioritise(7) });
  },
  rescheduleTask: async () => {
    const id = await newTask();
    const dueAt = '2099-01-01T00:00:00.000Z';
    return onTask(id, { body: { dueAt }, other: { dueAt: null }, undo: () => task(id).reschedule(null) });
  },
  amendTask: async () => {
    const id = await newTask();
    return onTask(id, { body: { payload: 1 }, other: { payload: 2 }, undo: () => task(id).amend(3) });
  },
  signalTask: async () => {
    const id = await newTask();
    return onTask(id, {
      body: { signal: 'approved' },
      other: { signal: 'paid' },
      undo: () => task(id).signal('late'),
    });
  },
  annotateTask: async () => {
    const id = await newTask();
    return onTask(id, {
      body: { data: { a: 1 } },
      other: { data: { a: 2 } },
      undo: () => task(id).annotate({ a: 3 }),
    });
  },
  arrangeTask: async () => {
    const [id, first] = [await newTask(), await newTask()];
    const undo = () => transport.call('arrangeTask', { path: { id }, body: { waive: [first] }, headers: {} });
    const other = { add: [{ task: await newTask() }] };
    return onTask(id, { body: { add: [{ task: first }] }, other, undo });
  },
  overruleTask: async () => {
    const id = await newTask();
    await queue((await task(id).get()).queue).claim({ worker: 'w1' });
    const body = { verdict: 'requeue', reason: 'yes' };
    return onTask(id, { body, other: { ...body, verdict: 'fail' }, undo: () => task(id).prioritise(7) });
  },
  createBatch: async () => ({
    body: { name: 'nightly' },
    other: { name: 'daily' },
    undo: ({ id }) => batch(id).delete(),
    look: batchIds,
  }),
  releaseBatch: async () => {
    const { id, planner } = await heldBatch();
    return onBatch(id, { body: {}, look: `/v1/tasks/${planner}`, undo: () => deleteBatch(id, planner) });
  },
  requestReport: async () => {
    const id = await failedBatch({ reRunReporting: 'update' });
    const look = () =>
      until('the batch to have reported', async () => {
        const { state, reports, revision } = await batch(id).get();
        return state === 'reporting' ? null : { state, reports, revision };
      });
    const undo = () => until('the batch to have reported', async () => (await look()).state);
    return onBatch(id, { body: {}, look, undo });
  },
  rerunBatch: async () => {
    const id = await failedBatch({ reRunReporting: 'rerun-batch' });
    return onBatch(id, { body: {}, undo: ({ id: copy }) => batch(copy).delete() });
  },
  openBatch: async () => {
    const id = await newBatch();
    await newTask({ batch: id, hold: {} });
    const undo = async () => {
      await batch(id).delete();
      await until('its task to be deleted', async () => ((await batch(id).get()).deleted === 1 ? true : null));
    };
    return onBatch(id, { body: { tasks: 1 }, other: { tasks: 0 }, undo });
  },
  // While its planner is there, an abort is a transaction; afterwards it is one command.
  abortBatch: async () => {
    const { id, planner } = await heldBatch();
    const look = async () => {
      const { state, revision } = await batch(id).get();
      return { state, revision };
    };
    return onBatch(id, { body: {}, look, undo: () => deleteBatch(id, planner) });
  },
  deleteBatch: async () => {
    const id = await newBatch();
    return onBatch(id, { body: undefined, undo: () => service.waybill.createBatch({ name: 'nightly' }) });
  },
  startBulkOperation: async () => {
    const name = await newQueue();
    const { id } = await queue(name).enqueue(null);
    const body = { command: 'cancel', filter: { queue: name } };
    const look = () => idsIn('waybill.operations');
    const undo = async (first: { id: string }) => {
      await until('the task to be cancelled', async () => ((await task(id).get()).state === 'cancelled' ? true : null));
      await until('the operation to end', async () =>
        (await task(first.id).get()).state === 'succeeded' ? true : null,
      );
      await task(id).abort();
    };
    return { body, other: { ...body, command: 'abort' }, look, undo };
  },
  undoBulkOperation: async () => {
    const name = await newQueue();
    const { id } = await queue(name).enqueue(null);
    const ended = (operation: string) =>
      until('the operation to end', async () => ((await task(operation).get()).state === 'succeeded' ? true : null));
    const { id: operation } = await service.waybill.operate('cancel', { tasks: [id] });
    await ended(operation!);
    return {
      on: { id: operation! },
      body: {},
      look: () => idsIn('waybill.operations'),
      undo: (first: { id: string }) => ended(first.id),
    };
  },
  startDelivery: async () => {
    const webhook = { url: 'https://example.org/hook', secret: 'shop', type: 'a.b', data: 1 };
    const look = () => idsIn('waybill.deliveries');
    return { body: { webhook }, other: { webhook: { ...webhook, data: 2 } }, look, undo: ({ id }) => task(id).abort() };
  },
  defineTrigger: async () => {
    const [trigger, name] = [`t-${uuidv7()}`, await newQueue()];
    const other = { ...yearly(name), description: 'other' };
    return onTrigger(trigger, { body: yearly(name), other, undo: () => service.waybill.trigger(trigger).delete() });
  },
  deleteTrigger: async () => {
    const trigger = await newTrigger();
    const name = await newQueue();
    return onTrigger(trigger, {
      body: undefined,
      undo: () => service.waybill.trigger(trigger).define(yearly(name)),
    });
  },
  enableTrigger: async () => {
    const trigger = await newTrigger();
    await service.waybill.trigger(trigger).disable();
    return onTrigger(trigger, { body: {}, undo: () => service.waybill.trigger(trigger).disable() });
  },
  disableTrigger: async () => {
    const trigger = await newTrigger();
    return onTrigger(trigger, { body: {}, undo: () => service.waybill.trigger(trigger).enable() });
  },
  fireTrigger: async () => {
    const trigger = await newTrigger();
    return onTrigger(trigger, { body: {}, undo: () => service.waybill.trigger(trigger).fire() });
  },
  replayTrigger: async () => {
    const trigger = await newTrigger();
    const event = { types: ['QueueDefined' as const], queue: trigger };
    await service.waybill.trigger(trigger).define({ event, task: { queue: await newQueue() } });
    const look = () => idsIn('waybill.past-events');
    const undo = async ({ id }: { id: string }) =>
      void (await until('the replay to end', async () => ((await task(id).get()).state === 'succeeded' ? true : null)));
    return { on: { trigger }, look, body: { from: 'beginning' }, other: { from: '1' }, undo };
  },
  startErasure: async () => {
    const { id } = await queue(await newQueue()).enqueue(null);
    await task(id).abort();
    const look = () => idsIn('waybill.erasures');
    const undo = async (first: { id: string }) =>
      void (await until('it to end', async () => ((await task(first.id).get()).state === 'succeeded' ? true : null)));
    return { body: { task: id, reason: 'Art. 17' }, other: { task: id, reason: 'ticket 88' }, look, undo };
  },
  rebuildProjection: async () => {
    const look = () => idsIn('waybill.rebuilds');
    const undo = async ({ id }: { id: string }) =>
      void (await until('it to end', async () => ((await task(id).get()).state === 'succeeded' ? true : null)));
    return { on: { projection: 'worker-roster' }, look, body: { mode: 'diff' }, other: { mode: 'switch' }, undo };
  },
  resolveFailureGroup: () => onGroup({ undo: (group) => failures().ignore(group) }),
  ignoreFailureGroup: () => onGroup({ undo: (group) => failures().resolve(group) }),
  reopenFailureGroup: () =>
    onGroup({ before: (group) => failures().resolve(group), undo: (group) => failures().ignore(group) }),
  placeHold: async () => {
    const hold = `h-${uuidv7()}`;
    return {
      on: { hold },
      look: `/v1/holds/${hold}`,
      body: { labels: { a: hold } },
      other: { labels: { b: hold } },
      undo: () => service.waybill.holds.lift(hold),
    };
  },
  liftHold: async () => {
    const hold = await placedHold();
    const undo = () => service.waybill.holds.place(hold, { customer: hold });
    return { on: { hold }, look: `/v1/holds/${hold}`, undo };
  },
  defineResource: async () => {
    const resource = `r-${uuidv7()}`;
    return {
      on: { resource },
      look: `/v1/resources/${resource}`,
      body: { staleAfterSeconds: 60 },
      other: { staleAfterSeconds: 61 },
      undo: () => service.waybill.resources.delete(resource),
    };
  },
  deleteResource: async () => {
    const resource = await definedResource();
    const undo = () => service.waybill.resources.define(resource, { staleAfterSeconds: 60 });
    return { on: { resource }, look: `/v1/resources/${resource}`, undo };
  },
  saveView: async () => {
    const view = `v-${uuidv7()}`;
    return {
      on: { view },
      look: views,
      body: { q: 'state:failed' },
      other: { q: 'state:running' },
      undo: () => service.waybill.views.delete(view),
    };
  },
  deleteView: async () => {
    const view = `v-${uuidv7()}`;
    await service.waybill.views.save(view);
    return { on: { view }, look: views, undo: () => service.waybill.views.save(view) };
  },
  startTask: async () => {
    const name = await newQueue();
    const of = (payload: number) => ({ queue: name, worker: 'w1', payload });
    const undo = ({ task: started }: { task: ClaimedTask }) => ended(started, { type: 'succeed' });
    return { body: of(1), other: of(2), look: `/v1/tasks?queue=${name}`, undo };
  },
  drainSystem: async () => ({ body: {}, look: drained, undo: () => service.waybill.system.resume() }),
  resumeSystem: async () => {
    await service.waybill.system.drain();
    return { body: {}, look: drained, undo: () => service.waybill.system.drain() };
  },
  acceptLoss: async () => {
    const size = (await saidOfLog()).length + 1;
    await lose(service.pool, size);
    const of = (reason: string) => ({ size, reason });
    return { body: of('a'), other: of('b'), look: saidOfLog, undo: () => lose(service.pool, size + 1) };
  },
  retireLogKey: async () => {
    const log = `waybill/${(await saidOfLog()).length}`;
    await sealAs(service.pool, log);
    const of = (reason: string) => ({ log, reason });
    return { body: of('a'), other: of('b'), look: saidOfLog, undo: () => sealAs(service.pool, `${log}/2`) };
  },
  runTransaction: async () => {
    const name = await newQueue();
    const of = (reason: string) => ({ commands: [{ operation: 'pauseQueue', queue: name, body: { reason } }] });
    return { body: of('a'), other: of('b'), look: `/v1/queues/${name}`, undo: () => queue(name).resume() };
  },
};

async function ended({ taskId, token }: ClaimedTask, verdict: SettleVerdict): Promise<void> {
  const [settled] = await service.waybill.settle([{ taskId, token, verdict }]);
  expect(settled).not.toHaveProperty('problem');
}

const tasksOf = (name: string) => service.waybill.tasks.page({ queue: name });

async function isGone(path: string): Promise<boolean> {
  return (await fetch(service.url + path)).status === 404;
}

const views = () => service.waybill.views.list();

/** Without when nothing ran any more, which the service records by itself a moment later. */
const drained = async () => ({ ...(await service.waybill.system.get()).drain, quiescedAt: null });

/** What differs from answer to answer. */
const MOVING = ['traceId'];

/** What a page shows otherwise. */
async function seen(path: Case['look']): Promise<unknown> {
  if (typeof path !== 'string') return path();
  const shown = await fetch(service.url + path);
  const fields = Object.entries((await shown.json()) as object).filter(([name]) => !MOVING.includes(name));
  return [shown.status, Object.fromEntries(fields)];
}

/** Other batches go on meanwhile. */
async function batchIds(): Promise<string[]> {
  const ids = [];
  for await (const { id } of service.waybill.batches()) ids.push(id);
  return ids;
}

/** The ids of the service's own tasks, which its steward works on meanwhile. */
const idsIn = async (name: string) => (await tasksOf(name)).items.map(({ id }) => id);

const send = (id: OperationId, { on, headers }: Case, body: object | undefined, key: string) =>
  transport.call(id, { path: on, body, headers: { ...headers, 'idempotency-key': key } });

const sendOver = (via: Transport, id: OperationId, { on, headers, body }: Case, key: string) =>
  via.call(id, { path: on, body, headers: { ...headers, 'idempotency-key': key } });

describe('a request with an Idempotency-Key', () => {
  it('is tried for every operation that lists the header', () => {
    expect(LISTED.length).toBeGreaterThan(40);
    expect(Object.keys(CASES).sort()).toEqual([...LISTED].sort());
  });

  it('is sent by the client for every operation that identifies a repetition by it alone', () => {
    const keyed = Object.entries(OPERATIONS).flatMap(([id, { idempotency }]) => (idempotency === 'key' ? id : []));
    expect(LISTED).toEqual(expect.arrayContaining(keyed));
  });

  const requests = new Map<OperationId, { given: Case; key: string; first: Answer }>();

  it.each(LISTED)(
    'is answered as the first time, and changes nothing, at once and after others undid it: %s',
    async (id) => {
      const given = await CASES[id]!();
      const key = uuidv7();
      const first = await send(id, given, given.body, key);
      expect(problemsIn(first.body).filter(Boolean)).toEqual([]);
      await expectSame(id, given, key, first);
      if (OPERATIONS[id].method !== 'DELETE') await expectRefusal(id, given, key);
      await given.undo(first.body);
      await expectSame(id, given, key, first);
      requests.set(id, { given, key, first });
    },
  );

  describe('when the service was started anew', () => {
    beforeAll(async () => {
      await service.restart();
      transport = new HttpTransport({ url: service.url });
    });

    it.each(LISTED)('is answered as the first time, and changes nothing: %s', async (id) => {
      const { given, key, first } = requests.get(id)!;
      await expectSame(id, given, key, first);
    });
  });
});

/** The key with another body is refused, and changes nothing. */
async function expectRefusal(id: OperationId, given: Case, key: string): Promise<void> {
  const before = await seen(given.look);
  const refused = await send(id, given, given.other ?? { ...given.body, reason: 'another' }, key);
  expect(problemsIn(refused.body)).toEqual(['IDEMPOTENCY_KEY_REUSED']);
  expect(await seen(given.look)).toEqual(before);
}

/** `preview` in their bodies counts what they are for. */
const OWN_PREVIEWS: readonly OperationId[] = [
  'startBulkOperation',
  'undoBulkOperation',
  'replayTrigger',
  'startErasure',
];

/** What was recorded after the position, but for what others did because of it. */
async function recordedAfter(after: string, correlationId: string): Promise<readonly (readonly [string, string])[]> {
  const events: (readonly [string, string])[] = [];
  for await (const { stream, type, envelope } of service.waybill.events({ after }))
    if (envelope.correlationId === correlationId && envelope.causationId === undefined) events.push([stream, type]);
  return events;
}

describe('a preview of a command', () => {
  const PREVIEWED = components.schemas.PreviewRequest.properties.operation.enum;

  it('is possible for every operation that is given once per key, but for those that have an own one', () => {
    const keyed = LISTED.filter((id) => OPERATIONS[id].idempotency === 'key');
    const expected = [...keyed.filter((id) => !OWN_PREVIEWS.includes(id)), 'enqueueTask'];
    expect([...PREVIEWED].sort()).toEqual(expected.sort());
  });

  it.each(PREVIEWED)('foretells what the command records, and records nothing: %s', async (id) => {
    const given = await CASES[id]!();
    const { on = {}, headers = {}, body } = given;
    const command = { operation: id, ...(Object.keys(on).length > 0 && { on: Object.values(on)[0]! }), body };
    const ifVersion = headers['if-match'] === undefined ? {} : { ifVersion: Number(headers['if-match'].slice(1, -1)) };
    const [previewId, requestId] = [uuidv7(), uuidv7()];
    const asked = { body: { ...command, ...ifVersion }, headers: { 'x-request-id': previewId } };
    const preview = await transport.call('previewCommand', asked);
    expect(preview).toMatchObject({ status: 200, body: { changes: expect.any(Array) } });
    const { position, changes } = preview.body as CommandPreview;
    const foretold = changes.flatMap(({ stream, events }) => events.map(({ type }) => [stream, type]));
    await transport.call(id, { path: on, body, headers: { ...headers, 'x-request-id': requestId } });
    expect(await recordedAfter(position, previewId)).toEqual([]);
    const recorded = await recordedAfter(position, requestId);
    expect(alike(foretold, on)).toEqual(alike(recorded, on));
    expect(foretold.length).toBeGreaterThan(0);
  });
});

/** Ids of what is new are chosen anew by the command. */
const alike = (events: readonly (readonly string[])[], on: object): readonly string[] =>
  events
    .map(([stream, type]) =>
      Object.values(on).some((id) => stream!.endsWith(id as string)) ? `${stream} ${type}` : type!,
    )
    .toSorted();

describe('a request with an Idempotency-Key that two processes get at once', () => {
  let other: Transport;
  beforeAll(async () => void (other = new HttpTransport({ url: await service.addUrl() })));

  // How two processes agree is the same for all operations.
  const some = LISTED.filter((_, index) => index % sizeOf(1, 5) === 0);
  it.each(some)('is carried out once, and answered alike: %s', async (id) => {
    const given = await CASES[id]!();
    const key = uuidv7();
    const [one, two] = await Promise.all([transport, other].map((via) => sendOver(via, id, given, key)));
    expect([one!.status, one!.body]).toEqual([two!.status, two!.body]);
    expect(problemsIn(one!.body).filter(Boolean)).toEqual([]);
    expect([one, two].filter((answer) => answer!.headers['idempotent-replayed'] === 'true')).toHaveLength(1);
    await expectSame(id, given, key, one!);
  });
});

describe('a claim that is repeated with its id', () => {
  it('gets the tasks of the first that it still has, also after a restart, and never another one', async () => {
    const name = await newQueue();
    const claimId = uuidv7();
    const ids = [];
    for (const n of [1, 2]) ids.push((await queue(name).enqueue(n)).id);
    const claim = () => queue(name).claim({ worker: 'w1', max: 2, claimId });
    const [one, two] = await claim();
    expect([one!.taskId, two!.taskId]).toEqual(ids);
    await queue(name).enqueue(3);
    await ended(one!, { type: 'succeed' });
    await service.restart();
    transport = new HttpTransport({ url: service.url });
    expect(await claim()).toEqual([two]);
    await ended(two!, { type: 'return' });
    expect(await claim()).toEqual([]);
    expect(await queue(name).claim({ worker: 'w1', max: 9 })).toMatchObject([{ payload: 3 }, { payload: 2 }]);
    expect(await claim()).toEqual([]);
  });

  it('lists no Idempotency-Key, which it would not honour', () => {
    expect(LISTED).not.toContain('claimTasks');
    expect(OPERATIONS.claimTasks.idempotency).toBe('own');
  });
});

/** Repeats the request: the answer is the first one, and changes nothing. */
async function expectSame(id: OperationId, given: Case, key: string, first: Answer): Promise<void> {
  const before = await seen(given.look);
  const late = await send(id, given, given.body, key);
  expect([late.status, late.body]).toEqual([first.status, first.body]);
  expect(late.headers['idempotent-replayed']).toBe('true');
  expect(await seen(given.look)).toEqual(before);
}

/** Of a request, or of each of its items. */
function problemsIn(body: unknown): readonly unknown[] {
  const { code, results = [] } = body as { code?: string; results?: { problem?: { code: string } }[] };
  return code === undefined ? [...new Set(results.map(({ problem }) => problem?.code))] : [code];
}
