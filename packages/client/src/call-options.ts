import { type OperationId, OPERATIONS } from '@waybill/contracts';
import { assertKnown } from './given-options.js';

type Names = Readonly<Record<string, true>>;

const of = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, true])) as Readonly<Record<Name, true>>;

const without = <All extends Names, Left extends string>(all: All, ...left: readonly Left[]) =>
  of(...Object.keys(all).filter((name) => !left.includes(name as Left))) as unknown as Omit<All, Left>;

const CALL = of('signal', 'timeoutMs', 'retry', 'requestId');
const COMMAND = { ...of('idempotencyKey'), ...CALL };
const REASON = { ...of('reason'), ...COMMAND };
const READ = { ...of('minPosition'), ...CALL };
const PAGE = { ...of('cursor', 'limit'), ...READ };
const HISTORY = { ...of('actor', 'type', 'since', 'until'), ...PAGE };
const LIST = { ...of('internal'), ...PAGE };

const EVENTS = of(
  'after',
  'since',
  'until',
  'queue',
  'task',
  'category',
  'name',
  'type',
  'actor',
  'policyVersion',
  'half',
  'follow',
  'limit',
  'signal',
);

const PLANNED = of(
  'key',
  'reference',
  'kind',
  'description',
  'priority',
  'labels',
  'needs',
  'data',
  'steps',
  'after',
  'dueAt',
  'expiresAt',
  'ttlMs',
  'deadlineAt',
  'hold',
  'prepared',
  'rejected',
  'context',
  'auditContext',
  'traceparent',
  'payloadSha256',
);
const TASK = { ...of('id', 'batch', 'batchSize', 'gather'), ...PLANNED };
const APPLIED = without(TASK, 'kind');
const WAYBILL = of(
  'actor',
  'agent',
  'traceparent',
  'telemetry',
  'timeoutMs',
  'retry',
  'readYourWrites',
  'logger',
  'clock',
);

const HTTP = of('url', 'apiKey', 'headers', 'fetch');
const SIGNAL = of('signal');
const RESULT = { ...of('timeoutMs'), ...SIGNAL };
const STEP = of('result', 'data', 'priority', 'mark');

/** Of the operations whose requests have others than most of their sort. */
const OF_SOME = {
  defineQueue: { ...of('description', 'preset', 'replace'), ...REASON },
  listQueues: LIST,
  changePolicy: { ...of('ifVersion'), ...REASON },
  pauseQueue: { ...of('until'), ...REASON },
  listQueueStats: LIST,
  placeHold: { ...of('forbidsErasure'), ...REASON },
  listFailedTasks: PAGE,
  listLimits: PAGE,
  enqueueTask: { ...TASK, ...COMMAND },
  listTasks: PAGE,
  getTaskLineage: { ...of('up', 'down'), ...READ },
  listOverlaps: { ...of('queue', 'from', 'to'), ...PAGE },
  getTaskGraph: { ...of('depth'), ...READ },
  retryTask: { ...of('step', 'override'), ...REASON },
  runTaskAgain: { ...of('payload', 'fromStep', 'queue'), ...COMMAND },
  overruleTask: { ...of('result'), ...COMMAND },
  deleteTask: { ...of('force'), ...REASON },
  startBulkOperation: {
    ...of('priority', 'running', 'preview', 'asPreviewed', 'again', 'canary', 'perSecond'),
    ...REASON,
  },
  startErasure: { ...of('abortOpen', 'preview'), ...COMMAND },
  getErasureCertificate: CALL,
  undoBulkOperation: { ...of('preview'), ...REASON },
  listBulkOperations: { ...of('actor', 'command', 'state', 'since', 'until'), ...PAGE },
  listBatches: { ...of('q', 'state'), ...PAGE },
  listBatchReports: PAGE,
  listPolicyVersions: PAGE,
  getQueueHistory: HISTORY,
  getBatchHistory: HISTORY,
  getTriggerHistory: HISTORY,
  getHoldHistory: HISTORY,
  getResourceHistory: HISTORY,
  getSystemHistory: HISTORY,
  listActivity: {
    ...of('since', 'until', 'actor', 'category', 'type', 'queue', 'policyVersion', 'order', 'cursor', 'limit'),
    ...CALL,
  },
  listChanges: { ...of('since', 'until', 'queue', 'batch', 'cursor', 'limit'), ...CALL },
  sumChanges: { ...of('since', 'until', 'queue'), ...CALL },
  listResults: PAGE,
  createFollowToken: { ...of('expiresInMs'), ...CALL },
  getTaskProof: { ...of('private'), ...CALL },
  exportLog: of('size', 'queue', 'from', 'to', 'private', 'after', 'signal'),
  listSeals: { ...of('cursor', 'limit'), ...CALL },
  acceptLoss: COMMAND,
  retireLogKey: COMMAND,
  drainSystem: CALL,
  resumeSystem: CALL,
  fireTrigger: { ...of('id'), ...REASON },
  listTriggers: PAGE,
  listHolds: PAGE,
  listFailureGroups: { ...of('queue', 'state', 'class', 'order'), ...PAGE },
  getFailureGroup: { ...of('queue'), ...READ },
  resolveFailureGroup: { ...of('build', 'operation'), ...REASON },
  listResources: PAGE,
  startTask: COMMAND,
  runTransaction: COMMAND,
  readEvents: EVENTS,
  followEvents: EVENTS,
  followChanges: of('after', 'onPosition', 'signal'),
  listWorkers: LIST,
} satisfies Partial<Record<OperationId, Names>>;

/** A command takes a reason, and a query a position. */
type OfSort<O extends OperationId> = (typeof OPERATIONS)[O] extends { readonly idempotency: 'key' }
  ? typeof REASON
  : (typeof OPERATIONS)[O] extends { readonly minPosition: true }
    ? typeof READ
    : typeof CALL;

function ofSort(operation: OperationId): Names {
  const about = OPERATIONS[operation];
  if (about.idempotency === 'key') return REASON;
  return 'minPosition' in about ? READ : CALL;
}

const OF_OPERATIONS = {
  ...(Object.fromEntries((Object.keys(OPERATIONS) as OperationId[]).map((each) => [each, ofSort(each)])) as {
    readonly [O in Exclude<OperationId, keyof typeof OF_SOME>]: OfSort<O>;
  }),
  ...OF_SOME,
};

/** Of what is no operation, or more than one. */
const OF_OTHERS = {
  createWaybill: { ...HTTP, ...WAYBILL },
  'createWaybill over a transport': { ...of('transport'), ...WAYBILL },
  HttpTransport: HTTP,
  retry: of('attempts', 'deadlineMs', 'baseMs', 'capMs'),
  'a task of enqueueMany': { ...of('payload'), ...TASK },
  'plan.add': PLANNED,
  'plan.add of a function': without(PLANNED, 'kind'),
  'plan.submit': CALL,
  'batch.done': SIGNAL,
  'task.follow': SIGNAL,
  'task.result': RESULT,
  'system.drained': RESULT,
  'queue.drained': RESULT,
  'queue.run': { ...TASK, ...RESULT },
  'queue.figures': { ...of('from', 'to', 'bucket'), ...READ },
  'queue.waits': { ...of('from', 'to'), ...CALL },
  'queue.deleteWithTasks': without(OF_SOME.startBulkOperation, 'priority', 'again', 'canary', 'perSecond'),
  'a label': of('name', 'value'),
  'tx.settle': of('taskId', 'token', 'verdict'),
  functions: of('queue'),
  'functions.task': of('cleanUp'),
  'apply of a function': APPLIED,
  'defer of a function': without(APPLIED, 'dueAt'),
  worker: of(
    'name',
    'server',
    'build',
    'offers',
    'concurrency',
    'prefetch',
    'aheadMs',
    'leaseMs',
    'waitMs',
    'graceMs',
    'stuckAfterMs',
    'logger',
  ),
  'worker.watch': of('everyMs'),
  inChild: of('steps'),
  'run.fail': of('final', 'details'),
  'run.done': STEP,
  'run.waitFor': of('timeout', 'onTimeout'),
  'run.completeStep': { ...of('then'), ...STEP },
  'run.progress': of('start', 'end', 'position'),
  'run.log': of('level', 'fields'),
  'task.log': of('follow', 'signal'),
  evidence: { ...of('private', 'tasks'), ...CALL },
};

/** What a call may be told besides its arguments: all that the client passes on or reads itself. */
export const OPTIONS = { ...OF_OPERATIONS, ...OF_OTHERS };

/** Refuses an option that the call does not have, before anything is sent. */
export const assertOptions = (call: keyof typeof OPTIONS, given: unknown): void =>
  assertKnown<Names>(call, given, OPTIONS[call]);

/** The names of a call's options. */
export const optionsOf = (call: keyof typeof OPTIONS): readonly string[] => Object.keys(OPTIONS[call]);

/** As `assertOptions`, for a command of a transaction. What only a request has, the transaction has once for all. */
export const assertOptionsInTransaction = (command: OperationId, given: unknown): void =>
  assertKnown(`${command} in a transaction`, given, without<Names, string>(OPTIONS[command], ...Object.keys(COMMAND)));
