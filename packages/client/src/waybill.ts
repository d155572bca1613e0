import type {
  ActivityItem,
  ActivityPage,
  OverlapPage,
  Answers,
  ApiKeyView,
  BatchDefinition,
  BatchView,
  BulkOperationRequest,
  ChangeNotice,
  ChangesPage,
  ChangesSum,
  CommandPreview,
  EnqueueOutcome,
  EnqueueResult,
  EventView,
  ExtendResult,
  Heartbeat,
  LeaseCheck,
  LeaseRef,
  MeView,
  OperationDetails,
  OperationView,
  ProjectionView,
  QueueStats,
  QueueView,
  RebuildRequest,
  Receipt,
  SettleItem,
  SettleResult,
  StartedBulkOperation,
  ErasureCertificate,
  StartedErasure,
  TaskChange,
  TransactionReceipt,
  TriggerView,
  WorkerView,
} from '@waybill/contracts';
import { erasureCertificate, type ErasureOptions, type ErasureSubject, startErasure } from './erasure.js';
import type { EvidenceOptions, EvidenceSubject } from './evidence.js';
import { type OverlapOptions, overlapsOf } from './overlaps.js';
import { activityOf, type ActivityOptions, activityPage } from './activity.js';
import { changesOf, type ChangesOptions, changesPage, changesSum, type ChangesSumOptions } from './changes.js';
import type { BatchFilter } from './batch-filter.js';
import { BatchHandle } from './batch-handle.js';
import { type BatchOptions, BatchPlan } from './batch-plan.js';
import {
  type BulkOptions,
  type OperationListOptions,
  operationsOf,
  startBulkOperation,
  undoOperation,
  type UndoOptions,
  type TaskSelection,
} from './bulk-operation.js';
import { assertOptions } from './call-options.js';
import { Caller, type CallOptions, type CommandOptions, type ReadOptions, type ReasonOptions } from './caller.js';
import { systemClock, type Clock } from './clock.js';
import type { DeliveryOptions, NewDelivery } from './delivery.js';
import { EnqueueBatcher } from './enqueue-batcher.js';
import { changeFeed, type ChangeFeedOptions, eventFeed, type EventOptions } from './event-feed.js';
import { DirectRuns } from './functions/direct-runs.js';
import { TaskFunctions } from './functions/task-functions.js';
import { Failures } from './failures.js';
import { Holds } from './holds.js';
import { HttpTransport, type HttpTransportOptions } from './http-transport.js';
import { KeyNotices } from './key-notices.js';
import { OwnPosition } from './own-position.js';
import { type PastMoment, PastWaybill } from './past.js';
import { QueueHandle } from './queue-handle.js';
import { PreviewTransport, previewOf } from './preview.js';
import { readQuery } from './read-query.js';
import { DEFAULT_RETRIES, type RetryRules } from './retry.js';
import { enqueueAll, newId, queuedItemOf, type NewTask } from './submissions.js';
import { Resources } from './resources.js';
import { Views } from './views.js';
import { SealedLog } from './sealed-log.js';
import { System } from './system.js';
import { NO_TELEMETRY, type Telemetry } from './telemetry.js';
import { TriggerHandle } from './trigger-handle.js';
import { TaskHandle } from './task-handle.js';
import { everyItem, type OfService, pageQuery, TaskList, type PageOptions } from './task-list.js';
import { runTransaction, type Transaction } from './transaction.js';
import type { Transport } from './transport.js';
import { type Logger, loggerOf, type StopReport } from './worker/worker-events.js';
import { Worker, type WorkerOptions } from './worker/worker.js';

/** Everything that an application does with Waybill, over any transport. */
export interface Waybill {
  /** `queue<Order>('orders')` says what its tasks carry. */
  queue<Payload = unknown>(name: string): QueueHandle<Payload>;
  task(id: string): TaskHandle;
  batch(id: string): BatchHandle;
  /** Creates a batch, with the task that plans it if there is a `plan`. Otherwise the caller adds its tasks and opens it. */
  createBatch(definition: BatchDefinition, options?: ReasonOptions): Promise<BatchHandle>;
  /** Begins a batch. Its tasks may run once the plan is submitted. */
  planBatch(options: BatchOptions): BatchPlan;
  /** Every batch, the newest first. Fetches page by page as you iterate. */
  batches(options?: PageOptions & BatchFilter): AsyncGenerator<BatchView>;
  trigger(name: string): TriggerHandle;
  /** Every trigger, ordered by name. Fetches page by page as you iterate. */
  triggers(options?: PageOptions): AsyncGenerator<TriggerView>;
  readonly holds: Holds;
  readonly failures: Failures;
  readonly resources: Resources;
  readonly views: Views;
  readonly system: System;
  readonly log: SealedLog;
  readonly tasks: TaskList;

  /**
   * Gives a command to many tasks. The operation is a task, whose result counts what was done and refused. With `preview: true`,
   * only counts the tasks; with `preview: 'decided'`, also says what would become of them.
   */
  operate(
    command: BulkOperationRequest['command'],
    selection: TaskSelection,
    options?: BulkOptions,
  ): Promise<StartedBulkOperation>;

  /** The commands that were given to many tasks, the newest first. Fetches page by page as you iterate. */
  operations(options?: OperationListOptions): AsyncGenerator<OperationView>;

  /** One of them, with what has become since of the tasks that have the command. */
  operation(id: string, options?: ReadOptions): Promise<OperationDetails>;

  /**
   * Makes the tasks of an operation that has ended what they were before it, except those that something has changed since. That is
   * an operation, too, of which there is one: a second call answers with the first. To undo it gives the command again. Waybill lists
   * each task that it leaves alone in the result, with what happened since.
   */
  undo(operation: string, options?: UndoOptions): Promise<StartedBulkOperation>;

  /**
   * What a command would do, such as `preview((as) => as.task(id).retry())`: nothing is recorded. The function gives one command
   * with the client that it gets. Throws what the command would be refused with.
   */
  preview(give: (as: Waybill) => Promise<unknown>): Promise<CommandPreview>;

  /** Sends mail or calls a webhook, for about a day if need be. The delivery is a task. */
  deliver(delivery: NewDelivery, options?: DeliveryOptions): Promise<EnqueueResult>;

  /** Every queue, ordered by name. Fetches page by page as you iterate. */
  queues(options?: PageOptions & OfService): AsyncGenerator<QueueView>;
  /** The statistics of every queue, fetched like `queues`. */
  queueStats(options?: PageOptions & OfService): AsyncGenerator<QueueStats>;
  /** Every worker with what became of its tasks in the queues of the filter, fetched like `queues`. */
  workers(options?: PageOptions & OfService): AsyncGenerator<WorkerView>;
  projections(options?: CallOptions): Promise<ProjectionView[]>;

  /**
   * Builds a read model from the log, beside the one in use. `diff` tells which rows differ, `switch` takes the rebuilt ones into use, and
   * `back` those that were in use before, for a day. The rebuild is a task with a result: `waybill.task(id)` shows it.
   */
  rebuildProjection(projection: string, mode: RebuildRequest['mode'], options?: ReasonOptions): Promise<Receipt>;

  /**
   * Erases what the tasks of a subject were about. The erasure is a task with a result: `waybill.task(id)` shows it. With `preview`, it only
   * counts the tasks.
   */
  erase(subject: ErasureSubject, reason: string, options?: ErasureOptions): Promise<StartedErasure>;
  /**
   * Certifies an erasure that has been carried out, to take along: `waybill verify` checks it. Waits for the next seal, so `timeoutMs` is 30
   * seconds if absent.
   */
  erasureCertificate(id: string, options?: CallOptions): Promise<ErasureCertificate>;
  /**
   * A page of HTML, for people, with what happened to a task, or to the first tasks of a batch or of a failure group, and the proofs of it.
   * It needs neither a network nor scripts, and `waybill verify` checks it. Waits for the next seal, like a proof.
   */
  evidence(subject: EvidenceSubject, options?: EvidenceOptions): Promise<string>;
  /** The API keys that the service accepts, with the last use of each. Empty if it requires none. */
  apiKeys(options?: CallOptions): Promise<ApiKeyView[]>;
  /** Who this client is to the service, and what it may do. */
  me(options?: CallOptions): Promise<MeView>;

  /** Like `queue(name).enqueueMany`, for tasks of several queues. */
  enqueueMany(
    tasks: readonly (NewTask & { readonly queue: string })[],
    options?: CallOptions,
  ): Promise<EnqueueOutcome[]>;

  /**
   * Collects commands in `work`, then runs them together: all are recorded, or none. If `work` throws, nothing is sent.
   * A refusal names the command by its `index`. At most 1000 commands.
   */
  transaction(work: (tx: Transaction) => void | Promise<void>, options?: CommandOptions): Promise<TransactionReceipt>;

  /** Events in commit order; with `follow`, also new ones. */
  events(options?: EventOptions): AsyncIterable<EventView>;

  /**
   * Tells what changes until `signal` aborts, at most once a second: for pages that read anew what they show. When a notice comes, reads
   * show what it names, unless a read model is more than a second behind.
   */
  followChanges(options?: ChangeFeedOptions): AsyncGenerator<ChangeNotice>;

  /** What people did, the newest first: the commands that were given, with actor and reason. Fetches page by page as you iterate. */
  activity(options?: ActivityOptions): AsyncGenerator<ActivityItem>;

  /** One page of it. Pass its `nextCursor` back to get the next one, which may have items even if this one has none. */
  activityPage(options?: ActivityOptions): Promise<ActivityPage>;

  /**
   * The tasks that are not what they were at an earlier moment, with what they were and are. Fetches page by page as you
   * iterate, all of the same two moments.
   */
  changes(options: ChangesOptions): AsyncGenerator<TaskChange>;

  /** One page of it. Its `until`, as the `since` of the next question, leaves no gap. */
  changesPage(options: ChangesOptions): Promise<ChangesPage>;

  /** How many tasks went from which state to which. */
  changesSum(options: ChangesSumOptions): Promise<ChangesSum>;

  /** Attempts that were lost, and whose workers reported after the next one had begun, the newest first: a page, and their share of all attempts. */
  overlaps(options?: OverlapOptions): Promise<OverlapPage>;

  /** Makes functions whose calls are tasks of a queue: run here and now, or by a worker. */
  functions(options: { readonly queue: string }): TaskFunctions;

  /**
   * The service as it was at a moment: a time, a position of the log, or how long ago, such as `10m`. What it answers
   * names the position in `asOf`, by which the same state can be asked for again.
   */
  asOf(moment: PastMoment): PastWaybill;

  /** Runs handlers for queues of this service. */
  worker(options?: WorkerOptions): Worker;

  /**
   * Stops all running workers of this client together: all of them stop claiming at once, and their grace times pass side
   * by side. A worker that is stopped again meanwhile waits for the same stop.
   */
  stopWorkers(): Promise<StopReport[]>;

  /**
   * Reports the outcomes of up to 1000 claimed tasks. Returns one result each, in order. A `Worker` does this for you.
   */
  settle(items: readonly SettleItem[], options?: CallOptions): Promise<SettleResult[]>;

  /** Extends up to 1000 leases. Returns one result each, in order. A `Worker` does this for you. */
  extend(items: readonly Heartbeat[], options?: CallOptions): Promise<ExtendResult[]>;

  /**
   * Asks whether up to 1000 leases stand and whether somebody cancelled their tasks, without extending them. A `Worker`
   * does this for you.
   */
  check(items: readonly LeaseRef[], options?: CallOptions): Promise<LeaseCheck[]>;
}

export interface WaybillOptions {
  /** The actor, for the history. */
  readonly actor?: string;
  /** The program or assistant that acts on the actor's behalf, for the history. */
  readonly agent?: string;
  /**
   * Returns the W3C trace context (`traceparent`) in which a request is made, for the history; called for each one.
   * Instrumentations of `fetch` send it by themselves, so they need none.
   */
  readonly traceparent?: () => string | undefined;
  /** Follows submissions and attempts: spread `openTelemetry()` of `@waybill/otel` into these options. */
  readonly telemetry?: Telemetry;
  /** The time-out of one attempt of a request. Long polls add their `waitMs`. */
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetryRules>;
  /**
   * Whether queries wait until they reflect the newest command that this client gave in the last 30 s; true if absent. A
   * query that does not get there in time is refused as `PROJECTION_BEHIND` and repeated.
   */
  readonly readYourWrites?: boolean;
  /**
   * Receives what the application's author should know, such as the first task of a queue whose key is taken: `warn(fields, message)`,
   * as pino has it; by default the console, `null` for none. Workers have a logger of their own.
   */
  readonly logger?: Logger | null;
  /** Replaced by tests. */
  readonly clock?: Clock;
}

/** A client over HTTP (`url`) or any other transport. */
export function createWaybill(
  options: WaybillOptions & (HttpTransportOptions | { readonly transport: Transport }),
): Waybill {
  const { actor = 'anonymous', agent = null, traceparent = noTrace, telemetry = NO_TELEMETRY } = options;
  const { timeoutMs = 10_000, clock = systemClock } = options;
  const transport = transportOf(options);
  const keyNotices = new KeyNotices(loggerOf(options.logger));
  const retry = { ...DEFAULT_RETRIES, ...options.retry };
  const ownPosition = options.readYourWrites === false ? null : new OwnPosition(clock);
  const caller = { actor, agent, traceparent, telemetry };
  return new Client(new Caller({ transport, clock, ...caller, timeoutMs, retry, keyNotices, ownPosition }));
}

const noTrace = (): undefined => undefined;

function transportOf(options: WaybillOptions & (HttpTransportOptions | { readonly transport: Transport })): Transport {
  const isOver = 'transport' in options && options.transport !== undefined;
  assertOptions(isOver ? 'createWaybill over a transport' : 'createWaybill', options);
  if (isOver) return options.transport;
  const { url, apiKey, headers, fetch } = options as HttpTransportOptions;
  return new HttpTransport({ url, apiKey, headers, fetch });
}

class Client implements Waybill {
  readonly holds: Holds;
  readonly failures: Failures;
  readonly resources: Resources;
  readonly views: Views;
  readonly system: System;
  readonly log: SealedLog;
  readonly tasks: TaskList;
  private readonly line: EnqueueBatcher;
  private readonly running = new Set<Worker>();
  private runs: DirectRuns | null = null;

  constructor(private readonly caller: Caller) {
    this.holds = new Holds(caller);
    this.failures = new Failures(caller);
    this.resources = new Resources(caller);
    this.views = new Views(caller);
    this.system = new System(caller);
    this.log = new SealedLog(caller);
    this.tasks = new TaskList(caller);
    this.line = new EnqueueBatcher(caller);
  }

  operate(
    command: BulkOperationRequest['command'],
    selection: TaskSelection,
    options: BulkOptions = {},
  ): Promise<StartedBulkOperation> {
    return startBulkOperation(this.caller, command, selection, options);
  }

  operations(options: OperationListOptions = {}): AsyncGenerator<OperationView> {
    return operationsOf(this.caller, options);
  }

  operation(id: string, options: ReadOptions = {}): Promise<OperationDetails> {
    return this.caller.call('getBulkOperation', { path: { id }, query: readQuery(options) }, options);
  }

  undo(operation: string, options: UndoOptions = {}): Promise<StartedBulkOperation> {
    return undoOperation(this.caller, operation, options);
  }

  preview(give: (as: Waybill) => Promise<unknown>): Promise<CommandPreview> {
    const { config } = this.caller;
    const caller = new Caller({ ...config, transport: new PreviewTransport(config.transport) });
    return previewOf(() => give(new Client(caller)));
  }

  deliver(delivery: NewDelivery, options: DeliveryOptions = {}): Promise<EnqueueResult> {
    return this.caller.call('startDelivery', { body: { reason: options.reason, ...delivery } }, options);
  }

  queue<Payload = unknown>(name: string): QueueHandle<Payload> {
    return new QueueHandle<Payload>(this.caller, name, this.line);
  }

  task(id: string): TaskHandle {
    return new TaskHandle(this.caller, id);
  }

  functions(options: { readonly queue: string }): TaskFunctions {
    assertOptions('functions', options);
    this.runs ??= new DirectRuns(this.caller);
    return new TaskFunctions(this.queue(options.queue), this.runs);
  }

  batch(id: string): BatchHandle {
    return new BatchHandle(this.caller, id);
  }

  async createBatch(given: BatchDefinition, options: ReasonOptions = {}): Promise<BatchHandle> {
    const body = { reason: options.reason, ...given, id: newId(given.id, options) };
    const { id } = await this.caller.call('createBatch', { body }, options);
    return this.batch(id);
  }

  planBatch(options: BatchOptions): BatchPlan {
    return new BatchPlan(this.caller, options);
  }

  batches(options: PageOptions & BatchFilter = {}): AsyncGenerator<BatchView> {
    const page = (cursor?: string) =>
      this.caller.call(
        'listBatches',
        { query: { ...pageQuery({ ...options, cursor }), q: options.q, state: options.state } },
        options,
      );
    return everyItem(page, options.cursor);
  }

  trigger(name: string): TriggerHandle {
    return new TriggerHandle(this.caller, name);
  }

  triggers(options: PageOptions = {}): AsyncGenerator<TriggerView> {
    const page = (cursor?: string) =>
      this.caller.call('listTriggers', { query: pageQuery({ ...options, cursor }) }, options);
    return everyItem(page, options.cursor);
  }

  asOf(moment: PastMoment): PastWaybill {
    return new PastWaybill(this.caller, moment);
  }

  worker(options: WorkerOptions = {}): Worker {
    return new Worker(this.caller, options, this.running);
  }

  stopWorkers(): Promise<StopReport[]> {
    return Promise.all([...this.running].map((worker) => worker.stop()));
  }

  events(options: EventOptions = {}): AsyncIterable<EventView> {
    return eventFeed(this.caller, options);
  }

  followChanges(options: ChangeFeedOptions = {}): AsyncGenerator<ChangeNotice> {
    return changeFeed(this.caller, options);
  }

  activity(options: ActivityOptions = {}): AsyncGenerator<ActivityItem> {
    return activityOf(this.caller, options);
  }

  overlaps(options: OverlapOptions = {}): Promise<OverlapPage> {
    return overlapsOf(this.caller, options);
  }

  activityPage(options: ActivityOptions = {}): Promise<ActivityPage> {
    return activityPage(this.caller, options);
  }

  changes(options: ChangesOptions): AsyncGenerator<TaskChange> {
    return changesOf(this.caller, options);
  }

  changesPage(options: ChangesOptions): Promise<ChangesPage> {
    return changesPage(this.caller, options);
  }

  changesSum(options: ChangesSumOptions): Promise<ChangesSum> {
    return changesSum(this.caller, options);
  }

  enqueueMany(
    tasks: readonly (NewTask & { readonly queue: string })[],
    options?: CallOptions,
  ): Promise<EnqueueOutcome[]> {
    const submissions = tasks.map(({ queue, ...task }) => queuedItemOf(task, queue));
    return enqueueAll(this.caller, submissions, options);
  }

  transaction(work: (tx: Transaction) => void | Promise<void>, options?: CommandOptions): Promise<TransactionReceipt> {
    return runTransaction(this.caller, work, options);
  }

  queues(options: PageOptions & OfService = {}): AsyncGenerator<QueueView> {
    return this.everyItemOf('listQueues', options);
  }

  queueStats(options: PageOptions & OfService = {}): AsyncGenerator<QueueStats> {
    return this.everyItemOf('listQueueStats', options);
  }

  workers(options: PageOptions & OfService = {}): AsyncGenerator<WorkerView> {
    return this.everyItemOf('listWorkers', options);
  }

  async projections(options?: CallOptions): Promise<ProjectionView[]> {
    return (await this.caller.call('listProjections', {}, options)).items;
  }

  rebuildProjection(projection: string, mode: RebuildRequest['mode'], options: ReasonOptions = {}): Promise<Receipt> {
    const body = { mode, reason: options.reason };
    return this.caller.call('rebuildProjection', { path: { projection }, body }, options);
  }

  erase(subject: ErasureSubject, reason: string, options: ErasureOptions = {}): Promise<StartedErasure> {
    return startErasure(this.caller, subject, reason, options);
  }

  erasureCertificate(id: string, options: CallOptions = {}): Promise<ErasureCertificate> {
    return erasureCertificate(this.caller, id, options);
  }

  async evidence(subject: EvidenceSubject, options: EvidenceOptions = {}): Promise<string> {
    assertOptions('evidence', options);
    const [{ evidenceOf }, { evidencePage }] = await Promise.all([
      import('./evidence.js'),
      import('./words/evidence-page.js'),
    ]);
    return evidencePage(await evidenceOf(this.caller, subject, options));
  }

  async apiKeys(options?: CallOptions): Promise<ApiKeyView[]> {
    return (await this.caller.call('listApiKeys', {}, options)).items;
  }

  me(options?: CallOptions): Promise<MeView> {
    return this.caller.call('whoAmI', {}, options);
  }

  async settle(items: readonly SettleItem[], options?: CallOptions): Promise<SettleResult[]> {
    return (await this.caller.call('settleTasks', { body: { items } }, options)).results;
  }

  async extend(items: readonly Heartbeat[], options?: CallOptions): Promise<ExtendResult[]> {
    return (await this.caller.call('extendLeases', { body: { items } }, options)).results;
  }

  async check(items: readonly LeaseRef[], options?: CallOptions): Promise<LeaseCheck[]> {
    return (await this.caller.call('checkLeases', { body: { items } }, options)).results;
  }

  private everyItemOf<O extends 'listQueues' | 'listQueueStats' | 'listWorkers'>(
    operation: O,
    options: PageOptions & OfService,
  ) {
    const page = (cursor?: string): Promise<Answers[O]> =>
      this.caller.call(
        operation,
        { query: { internal: options.internal, ...pageQuery({ ...options, cursor }) } },
        options,
      );
    return everyItem<Answers[O]['items'][number]>(page, options.cursor);
  }
}
