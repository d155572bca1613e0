import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createWaybill,
  HttpTransport,
  inChild,
  OPERATIONS,
  type BatchHandle,
  type BatchPlan,
  type ChildOptions,
  type FailOptions,
  type Holds,
  type Views,
  type HttpTransportOptions,
  type Input,
  type NewTask,
  type OperationId,
  type PlannedOptions,
  type Progress,
  type QueueHandle,
  type Resources,
  type RetryRules,
  type SettledInTransaction,
  type StepOptions,
  type StepRecord,
  type WaitOptions,
  type SealedLog,
  type System,
  type Task,
  type TaskFilter,
  type TaskFunction,
  type TaskFunctions,
  type TaskHandle,
  type TaskList,
  type Transaction,
  type TransactionQueue,
  type TransactionTask,
  type Transport,
  type TransportOptions,
  type TriggerHandle,
  type Waybill,
  type WaybillOptions,
  type Worker,
} from '@waybill/client';
import { OPTIONS } from '../packages/client/src/call-options.js';
import { ProgressBars } from '../packages/client/src/worker/progress-bars.js';
import { Run, type RunContext } from '../packages/client/src/worker/run.js';

const ID = '0190b7a2-0000-7000-8000-000000000001';
const URL = 'http://localhost:3000';

/** Answers everything at once, and keeps what it was sent. */
class Recorder implements Transport {
  readonly sent: { readonly operation: OperationId; readonly input: Input; readonly options: TransportOptions }[] = [];

  call(operation: OperationId, input: Input, options: TransportOptions) {
    this.sent.push({ operation, input, options });
    const state = operation === 'getTaskResult' ? 'succeeded' : 'completed';
    const body = { id: ID, items: [], nextCursor: null, results: [], tasks: [], task: {}, state };
    return Promise.resolve({ status: 200, headers: {}, body });
  }

  async *open(operation: OperationId, input: Input) {
    this.sent.push({ operation, input, options: {} });
    await Promise.resolve();
    yield* [];
  }
}

let recorder: Recorder;
let waybill: Waybill;

beforeEach(() => {
  recorder = new Recorder();
  waybill = createWaybill({ transport: recorder, logger: null });
});

type Kind = keyof typeof OPTIONS;
type Row<K extends Kind> = keyof (typeof OPTIONS)[K];
type OptionsOf<Method> = Method extends (...given: infer Given) => unknown ? NonNullable<Last<Required<Given>>> : never;
type Last<List extends readonly unknown[]> = List extends readonly [...unknown[], infer One] ? One : never;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** The rows of the table that have the options of the method, and no others. */
type KindOf<Options> = { readonly [K in Kind]: Same<Row<K>, keyof Options> extends true ? K : never }[Kind];

type Walk<Target, Options> = readonly [kind: KindOf<Options>, call: (target: Target, options: never) => unknown] | null;

type Methods<T> = { readonly [M in keyof T as T[M] extends (...given: any[]) => unknown ? M : never]: T[M] };

/**
 * A way to call every method that the type has. One that takes no options has null. The compiler says which method is missing, and
 * whether its row of the table has other options than its type.
 */
type Walks<T> = { readonly [M in keyof Methods<T>]: Walk<T, OptionsOf<T[M]>> };

const OF_WAYBILL: Walks<Waybill> = {
  queue: null,
  task: null,
  batch: null,
  trigger: null,
  stopWorkers: null,
  preview: null,
  planBatch: null,
  createBatch: ['createBatch', (w, o) => w.createBatch({ name: 'b' }, o)],
  batches: ['listBatches', (w, o) => w.batches(o).next()],
  triggers: ['listTriggers', (w, o) => w.triggers(o).next()],
  operations: ['listBulkOperations', (w, o) => w.operations(o).next()],
  operation: ['getBulkOperation', (w, o) => w.operation(ID, o)],
  operate: ['startBulkOperation', (w, o) => w.operate('retry', { all: true }, o)],
  undo: ['undoBulkOperation', (w, o) => w.undo(ID, o)],
  deliver: ['startDelivery', (w, o) => w.deliver({ mail: { to: ['a@example.org'], subject: 's', text: 't' } }, o)],
  queues: ['listQueues', (w, o) => w.queues(o).next()],
  queueStats: ['listQueueStats', (w, o) => w.queueStats(o).next()],
  workers: ['listWorkers', (w, o) => w.workers(o).next()],
  projections: ['listProjections', (w, o) => w.projections(o)],
  erasureCertificate: ['getErasureCertificate', (w, o) => w.erasureCertificate(ID, o)],
  erase: ['startErasure', (w, o) => w.erase({ task: ID }, 'Art. 17', o)],
  evidence: ['evidence', (w, o) => w.evidence({ task: ID }, o)],
  rebuildProjection: ['rebuildProjection', (w, o) => w.rebuildProjection('queue-stats', 'diff', o)],
  apiKeys: ['listApiKeys', (w, o) => w.apiKeys(o)],
  me: ['whoAmI', (w, o) => w.me(o)],
  followChanges: ['followChanges', (w, o) => w.followChanges(o).next()],
  enqueueMany: ['enqueueTasks', (w, o) => w.enqueueMany([{ queue: 'mail' }], o)],
  transaction: ['runTransaction', (w, o) => w.transaction((tx) => tx.queue('mail').pause(), o)],
  events: ['readEvents', async (w, o) => w.events(o)[Symbol.asyncIterator]().next()],
  activity: ['listActivity', (w, o) => w.activity(o).next()],
  overlaps: ['listOverlaps', (w, o) => w.overlaps(o)],
  activityPage: ['listActivity', (w, o) => w.activityPage(o)],
  changes: ['listChanges', (w, o) => w.changes(o).next()],
  changesPage: ['listChanges', (w, o) => w.changesPage(o)],
  changesSum: ['sumChanges', (w, o) => w.changesSum(o)],
  functions: ['functions', (w, o) => w.functions(o)],
  asOf: null,
  worker: ['worker', (w, o) => w.worker(o)],
  settle: ['settleTasks', (w, o) => w.settle([], o)],
  extend: ['extendLeases', (w, o) => w.extend([], o)],
  check: ['checkLeases', (w, o) => w.check([], o)],
};

const OF_QUEUES: Walks<Pick<QueueHandle, keyof TransactionQueue>> = {
  define: ['defineQueue', (q, o) => q.define({}, o)],
  changePolicy: ['changePolicy', (q, o) => q.changePolicy({}, o)],
  setLimit: ['setLimit', (q, o) => q.setLimit({ label: 'customer', maxRunning: 1 }, o)],
  unsetLimit: ['unsetLimit', (q, o) => q.unsetLimit({ label: 'customer' }, o)],
  pause: ['pauseQueue', (q, o) => q.pause(o)],
  resume: ['resumeQueue', (q, o) => q.resume(o)],
  closeIntake: ['closeIntake', (q, o) => q.closeIntake(o)],
  openIntake: ['openIntake', (q, o) => q.openIntake(o)],
  finish: ['finishQueue', (q, o) => q.finish(o)],
  reopen: ['reopenQueue', (q, o) => q.reopen(o)],
  delete: ['deleteQueue', (q, o) => q.delete(o)],
  enqueue: ['enqueueTask', (q, o) => q.enqueue(1, o)],
};

const OF_QUEUE_HANDLES: Walks<QueueHandle> = {
  ...OF_QUEUES,
  enqueueMany: ['enqueueTasks', (q, o) => q.enqueueMany([{}], o)],
  start: ['startTask', (q, o) => q.start({ worker: 'w', server: 's' }, o)],
  run: ['queue.run', (q, o) => q.run({}, o)],
  deleteWithTasks: ['queue.deleteWithTasks', (q, o) => q.deleteWithTasks(o)],
  get: ['getQueue', (q, o) => q.get(o)],
  stats: ['getQueueStats', (q, o) => q.stats(o)],
  drained: ['queue.drained', (q, o) => q.drained(o)],
  history: ['getQueueHistory', (q, o) => q.history(o).next()],
  figures: ['queue.figures', (q, o) => q.figures(o)],
  waits: ['queue.waits', (q, o) => q.waits(o)],
  tally: ['tallyQueue', (q, o) => q.tally(o)],
  versions: ['listPolicyVersions', (q, o) => q.versions(o).next()],
  diff: ['diffPolicyVersions', (q, o) => q.diff(1, 2, o)],
  blame: ['blamePolicy', (q, o) => q.blame(o)],
  retention: ['getRetention', (q, o) => q.retention({}, o)],
  failed: ['listFailedTasks', (q, o) => q.failed(o).next()],
  limits: ['listLimits', (q, o) => q.limits(o)],
  claim: ['claimTasks', (q, o) => q.claim({ worker: 'w' }, o)],
  claimResult: ['claimTasks', (q, o) => q.claimResult({ worker: 'w' }, o)],
  takeTurn: ['takeTurn', (q, o) => q.takeTurn({ worker: 'w', items: [] }, o)],
};

const OF_TASKS: Walks<Pick<TaskHandle, keyof TransactionTask>> = {
  submit: ['submitTask', (t, o) => t.submit(o)],
  hold: ['holdTask', (t, o) => t.hold(o)],
  release: ['releaseTask', (t, o) => t.release(o)],
  retry: ['retryTask', (t, o) => t.retry(o)],
  decide: ['decideTask', (t, o) => t.decide('fail', o)],
  cancel: ['cancelTask', (t, o) => t.cancel(o)],
  abort: ['abortTask', (t, o) => t.abort(o)],
  prioritise: ['prioritiseTask', (t, o) => t.prioritise(1, o)],
  reschedule: ['rescheduleTask', (t, o) => t.reschedule(null, o)],
  amend: ['amendTask', (t, o) => t.amend(1, o)],
  signal: ['signalTask', (t, o) => t.signal('approved', 1, o)],
  annotate: ['annotateTask', (t, o) => t.annotate({}, o)],
  arrange: ['arrangeTask', (t, o) => t.arrange({ waive: [ID] }, o)],
  overrule: ['overruleTask', (t, o) => t.overrule('fail', 'r', o)],
  delete: ['deleteTask', (t, o) => t.delete(o)],
};

const OF_TASK_HANDLES: Walks<TaskHandle> = {
  ...OF_TASKS,
  get: ['getTask', (t, o) => t.get(o)],
  why: ['getTaskExplanation', (t, o) => t.why(o)],
  graph: ['getTaskGraph', (t, o) => t.graph(o)],
  lineage: ['getTaskLineage', (t, o) => t.lineage(o)],
  proof: ['getTaskProof', (t, o) => t.proof(o)],
  runAgain: ['runTaskAgain', (t, o) => t.runAgain('r', o)],
  payload: ['getTaskPayload', (t, o) => t.payload(o)],
  wait: ['getTaskWait', (t, o) => t.wait(o)],
  history: ['getTaskHistory', (t, o) => t.history(o)],
  follow: ['task.follow', (t, o) => t.follow(o).next()],
  results: ['listResults', (t, o) => t.results(o).next()],
  result: ['task.result', (t, o) => t.result(o)],
  followToken: ['createFollowToken', (t, o) => t.followToken(o)],
  log: ['task.log', (t, o) => t.log(o).next()],
};

const OF_BATCHES: Walks<BatchHandle> = {
  get: ['getBatch', (b, o) => b.get(o)],
  graph: ['getBatchGraph', (b, o) => b.graph(o)],
  open: ['openBatch', (b, o) => b.open(1, o)],
  release: ['releaseBatch', (b, o) => b.release(o)],
  report: ['requestReport', (b, o) => b.report(o)],
  rerun: ['rerunBatch', (b, o) => b.rerun(o)],
  history: ['getBatchHistory', (b, o) => b.history(o).next()],
  reports: ['listBatchReports', (b, o) => b.reports(o).next()],
  tally: ['tallyBatch', (b, o) => b.tally(o)],
  abort: ['abortBatch', (b, o) => b.abort(o)],
  delete: ['deleteBatch', (b, o) => b.delete(o)],
  done: ['batch.done', (b, o) => b.done(o)],
};

const OF_PLANS: Walks<BatchPlan> = {
  graph: null,
  add: [
    'plan.add of a function',
    async (p, o) =>
      p.add(
        waybill.functions({ queue: 'mail' }).task('a:b', () => 1),
        [],
        o,
      ),
  ],
  create: ['createBatch', (p, o) => p.create(o)],
  submit: ['plan.submit', (p, o) => p.submit(o)],
  fill: ['enqueueTasks', (p, o) => (p.add('mail'), p.fill(waybill.batch(ID), o))],
};

const OF_TRIGGERS: Walks<TriggerHandle> = {
  get: ['getTrigger', (t, o) => t.get(o)],
  history: ['getTriggerHistory', (t, o) => t.history(o).next()],
  define: ['defineTrigger', (t, o) => t.define({}, o)],
  enable: ['enableTrigger', (t, o) => t.enable(o)],
  disable: ['disableTrigger', (t, o) => t.disable(o)],
  fire: ['fireTrigger', (t, o) => t.fire(o)],
  replay: ['replayTrigger', (t, o) => t.replay({ from: 'beginning' }, o)],
  delete: ['deleteTrigger', (t, o) => t.delete(o)],
};

const OF_HOLDS: Walks<Holds> = {
  place: ['placeHold', (h, o) => h.place('h', {}, o)],
  lift: ['liftHold', (h, o) => h.lift('h', o)],
  get: ['getHold', (h, o) => h.get('h', o)],
  history: ['getHoldHistory', (h, o) => h.history('h', o).next()],
  list: ['listHolds', (h, o) => h.list(o).next()],
};

const OF_VIEWS: Walks<Views> = {
  save: ['saveView', (v, o) => v.save('late', {}, o)],
  delete: ['deleteView', (v, o) => v.delete('late', o)],
  list: ['listViews', (v, o) => v.list(o)],
};

const OF_RESOURCES: Walks<Resources> = {
  define: ['defineResource', (r, o) => r.define('disk', {}, o)],
  delete: ['deleteResource', (r, o) => r.delete('disk', o)],
  measure: ['measureResource', (r, o) => r.measure('disk', 1, o)],
  get: ['getResource', (r, o) => r.get('disk', o)],
  history: ['getResourceHistory', (r, o) => r.history('disk', o).next()],
  list: ['listResources', (r, o) => r.list(o).next()],
};

const OF_SYSTEM: Walks<System> = {
  get: ['getSystem', (s, o) => s.get(o)],
  getDrain: ['getDrain', (s, o) => s.getDrain(o)],
  history: ['getSystemHistory', (s, o) => s.history(o).next()],
  drain: ['drainSystem', (s, o) => s.drain({}, o)],
  drained: ['system.drained', (s, o) => s.drained(o)],
  resume: ['resumeSystem', (s, o) => s.resume({}, o)],
};

const OF_LOG: Walks<SealedLog> = {
  get: ['getLog', (l, o) => l.get(o)],
  acceptLoss: ['acceptLoss', (l, o) => l.acceptLoss(1, 'why', o)],
  keys: ['listLogKeys', (l, o) => l.keys(o)],
  newKey: ['retireLogKey', (l, o) => l.newKey('log', 'why', o)],
  seals: ['listSeals', (l, o) => l.seals(o).next()],
  export: ['exportLog', (l, o) => l.export(o).next()],
};

const OF_LISTS: Walks<TaskList> = {
  list: ['listTasks', (t, o) => t.list({}, o).next()],
  page: ['listTasks', (t, o) => t.page({}, o)],
  suggestions: ['suggestTerms', (t, o) => t.suggestions('s', o)],
};

const OF_FUNCTIONS: Walks<TaskFunctions> = {
  task: ['functions.task', (f, o) => f.task('a:b', () => 1, o)],
  of: null,
  handler: null,
};

const OF_A_FUNCTION: Walks<TaskFunction> = {
  apply: ['apply of a function', (f, o) => f.apply([], o)],
  defer: ['defer of a function', (f, o) => f.defer('2030-01-01', [], o)],
  bg: null,
};

const OF_WORKERS: Walks<Worker> = {
  handle: null,
  plan: null,
  on: null,
  start: null,
  stop: null,
  stopOnSignals: null,
  watch: ['worker.watch', (w, o) => w.watch('disk', () => 1, o)],
  watchDisk: ['worker.watch', (w, o) => w.watchDisk('disk', '/', o)],
};

const run = new Run({ taskId: ID, attempt: 1, step: 's' } as Task, { token: '1.s' }, {} as RunContext);

/** Of what is no method, or is one part of an argument. */
const alone = <Options>(kind: KindOf<Options>, call: (options: never) => unknown): Walk<null, Options> => [
  kind,
  (_, options) => call(options),
];

const ALONE = {
  createWaybill: alone<WaybillOptions & HttpTransportOptions>('createWaybill', (o: object) =>
    createWaybill({ url: URL, ...o }),
  ),
  'createWaybill over a transport': alone<WaybillOptions & { readonly transport: Transport }>(
    'createWaybill over a transport',
    (o: object) => createWaybill({ transport: recorder, ...o }),
  ),
  HttpTransport: alone<HttpTransportOptions>('HttpTransport', (o: object) => new HttpTransport({ url: URL, ...o })),
  'retry of a request': alone<RetryRules>('retry', (retry) => waybill.queue('mail').get({ retry })),
  'retry of the client': alone<RetryRules>('retry', (retry) => createWaybill({ url: URL, retry })),
  inChild: alone<ChildOptions>('inChild', (o) => inChild('file:///x.mjs', o)),
  'plan.add': alone<PlannedOptions>('plan.add', (o) => waybill.planBatch({ name: 'b' }).add('mail', 1, o)),
  'a task of queue.enqueueMany': alone<NewTask>('a task of enqueueMany', async (o) =>
    waybill.queue('mail').enqueueMany([o]),
  ),
  'a task of waybill.enqueueMany': alone<NewTask>('a task of enqueueMany', async (o: object) =>
    waybill.enqueueMany([{ queue: 'q', ...o }]),
  ),
  'a label': alone<Label>('a label', async (label) => waybill.tasks.page({ label })),
  'a label of a selection': alone<Label>('a label', async (label) => waybill.operate('retry', { filter: { label } })),
  'tx.settle': alone<SettledInTransaction>('tx.settle', (o: object) =>
    waybill.transaction((tx) => tx.settle({ verdict: {}, ...o } as never)),
  ),
  'run.fail': alone<FailOptions>('run.fail', (o) => run.fail('bug', 'm', o)),
  'run.done': alone<StepRecord>('run.done', (o) => run.done(o)),
  'run.completeStep': alone<StepOptions>('run.completeStep', (o) => run.completeStep('s', o)),
  'run.waitFor': alone<WaitOptions>('run.waitFor', (o: object) => run.waitFor('s', o as WaitOptions)),
  'run.progress': alone<Progress>('run.progress', (o) => new ProgressBars().set('files', o)),
};

type Label = NonNullable<TaskFilter['label']>;

type AnyWalk<Target> = readonly [kind: Kind, call: (target: Target, options: never) => unknown] | null;

type Call = readonly [name: string, kind: Kind, call: (options: object) => unknown];

const callsOf = <T>(name: string, target: () => T, walks: object): Call[] =>
  Object.entries(walks as Readonly<Record<string, AnyWalk<T>>>).flatMap(([method, walk]): Call[] =>
    walk === null ? [] : [[`${name}.${method}`, walk[0], async (options) => walk[1](target(), options as never)]],
  );

const CALLS: readonly Call[] = [
  ...callsOf('waybill', () => waybill, OF_WAYBILL),
  ...callsOf('queue', () => waybill.queue('mail'), OF_QUEUE_HANDLES),
  ...callsOf('task', () => waybill.task(ID), OF_TASK_HANDLES),
  ...callsOf('batch', () => waybill.batch(ID), OF_BATCHES),
  ...callsOf('plan', () => waybill.planBatch({ name: 'b' }), OF_PLANS),
  ...callsOf('trigger', () => waybill.trigger('t'), OF_TRIGGERS),
  ...callsOf('holds', () => waybill.holds, OF_HOLDS),
  ...callsOf('resources', () => waybill.resources, OF_RESOURCES),
  ...callsOf('views', () => waybill.views, OF_VIEWS),
  ...callsOf('system', () => waybill.system, OF_SYSTEM),
  ...callsOf('log', () => waybill.log, OF_LOG),
  ...callsOf('tasks', () => waybill.tasks, OF_LISTS),
  ...callsOf('functions', () => waybill.functions({ queue: 'mail' }), OF_FUNCTIONS),
  ...callsOf('a function', () => waybill.functions({ queue: 'mail' }).task('a:b', () => 1), OF_A_FUNCTION),
  ...callsOf('worker', () => waybill.worker({ logger: null }), OF_WORKERS),
  ...callsOf('', () => null, ALONE),
];

describe('every call', () => {
  it.each(CALLS)(
    '%s refuses a misspelt option before it sends anything, and names the one that was meant',
    async (_, kind, call) => {
      for (const name of Object.keys(OPTIONS[kind])) {
        const refused = Promise.resolve(call({ [`${name}x`]: 'given' }));
        await expect(refused).rejects.toThrow(TypeError);
        await expect(refused).rejects.toThrow(`, but got '${name}x': did you mean '${name}'?`);
      }
      expect(recorder.sent).toEqual([]);
    },
  );

  it.each(CALLS)('%s refuses options that are none', async (_, __, call) => {
    const refused = Promise.resolve(call({ constructor: 'given' }));
    await expect(refused).rejects.toThrow("but got 'constructor'");
    expect(recorder.sent).toEqual([]);
  });

  it.each(CALLS.filter(([name]) => !(name.slice(1) in ALONE)))(
    '%s refuses something else in the place of options',
    async (_, kind, call) => {
      for (const other of ['because', '', 5, ['reason']]) {
        const refused = Promise.resolve(call(other as never));
        await expect(refused).rejects.toThrow(`Expected the options of ${kind} to be an object, but got `);
      }
      expect(recorder.sent).toEqual([]);
    },
  );
});

const signal = new AbortController().signal;
const SPECIAL: Readonly<Record<string, unknown>> = {
  signal,
  timeoutMs: 60_000,
  retry: { attempts: 2 },
  after: [{ task: 'given after' }],
  limit: 7,
};
const given = (name: string): unknown => SPECIAL[name] ?? `given ${name}`;

/** They end when the service does. */
const STREAMS: readonly Kind[] = ['readEvents', 'followChanges', 'exportLog'];

/** It asks after each notice of a stream. */
const WAITS: Kind = 'queue.drained';

const isRequest = ([, kind]: Call): boolean =>
  (kind in OPERATIONS && !STREAMS.includes(kind)) || (kind.startsWith('queue.') && kind !== WAITS);

describe('every option', () => {
  it.each(CALLS.filter(isRequest))('of %s is sent', async (_, kind, call) => {
    const names = Object.keys(OPTIONS[kind]);
    await call(Object.fromEntries(names.map((name) => [name, given(name)])));
    const [{ input, options }] = recorder.sent as [(typeof recorder.sent)[0]];
    const sent = JSON.stringify(input);
    for (const name of names.filter((one) => !(one in SPECIAL))) expect(sent).toContain(`given ${name}`);
    if ('after' in OPTIONS[kind]) expect(sent).toContain('given after');
    if ('limit' in OPTIONS[kind]) expect(input.query).toMatchObject({ limit: 7 });
    expect(options.signal).toBe(signal);
  });
});

/** The commands of a handle, each given in a transaction of its own. */
const inTransactions = <T>(target: (tx: Transaction) => unknown, walks: object): Call[] =>
  Object.values(walks as Readonly<Record<string, NonNullable<AnyWalk<T>>>>).map(([kind, call]) => [
    kind,
    kind,
    (options) => waybill.transaction((tx) => void call(target(tx) as T, options as never)),
  ]);

const COMMANDS: readonly Call[] = [
  ...inTransactions((tx) => tx.queue('mail'), OF_QUEUES),
  ...inTransactions((tx) => tx.task(ID), OF_TASKS),
];

describe('a command of a transaction', () => {
  const OF_REQUESTS = Object.keys(OPTIONS.runTransaction);

  it.each(COMMANDS)('%s refuses a misspelt option, and those that the transaction has', async (_, kind, call) => {
    for (const name of Object.keys(OPTIONS[kind])) {
      const wrong = OF_REQUESTS.includes(name) ? name : `${name}x`;
      const refused = call({ [wrong]: 'given' });
      await expect(refused).rejects.toThrow(`Expected ${kind} in a transaction to have options of `);
      await expect(refused).rejects.toThrow(`, but got '${wrong}'`);
    }
    expect(recorder.sent).toEqual([]);
  });

  it.each(COMMANDS)('%s sends every option', async (_, kind, call) => {
    const names = Object.keys(OPTIONS[kind]).filter((name) => !OF_REQUESTS.includes(name));
    await call(Object.fromEntries(names.map((name) => [name, given(name)])));
    const sent = JSON.stringify(recorder.sent);
    for (const name of names) expect(sent).toContain(`given ${name}`);
  });
});
