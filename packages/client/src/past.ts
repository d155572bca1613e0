import type {
  BatchDetails,
  BatchPage,
  BatchReportPage,
  BatchTallyList,
  DrainState,
  EventList,
  EventPage,
  EventView,
  PolicyBlame,
  PolicyVersion,
  PolicyVersionPage,
  QueueHistory,
  QueueList,
  QueueStats,
  QueueStatsDetails,
  QueueStatsList,
  QueueTally,
  QueueView,
  TaskDetails,
  TaskExplanation,
  TaskGraph,
  TaskPage,
  TaskSummary,
  TaskWait,
  TriggerList,
  TriggerView,
  WorkerList,
  WorkerView,
} from '@waybill/contracts';
import type { Caller, CallOptions } from './caller.js';
import { isoTime } from './given-options.js';
import { historyPage } from './history.js';
import { PastFailures } from './past-failures.js';
import { type PastHolds, pastHolds } from './past-hold-list.js';
import type { BatchFilter } from './batch-filter.js';
import { callOf, pageAt, type PastPageOptions } from './past-page.js';
import { type PastResources, pastResources } from './past-resource-list.js';
import type { PastHistoryOptions } from './past-things.js';
import { type PastTriggers, pastTriggers } from './past-trigger-list.js';
import { everyItem, filterQuery, type OfService, type TaskFilter } from './task-list.js';
import type { QueryValue } from './transport.js';

/** A moment: a time, a position of the log, or how long ago, such as `10m`. */
export type PastMoment = Date | string;

/** An interval. How long ago, such as `24h`, is counted from the moment, which `now` means, too. */
export interface PastFiguresOptions extends CallOptions {
  readonly from?: Date | string;
  readonly to?: Date | string;
  readonly bucket?: QueueHistory['bucket'] | undefined;
}

/** Lists of the past have the order of ids. */
export type PastTaskFilter = Omit<TaskFilter, 'sort' | 'policyVersion' | 'decidedSince' | 'decidedUntil'>;

/** What the service shows as of a moment. It has no commands, because nobody changes the past. */
export class PastWaybill {
  readonly failures: PastFailures;
  readonly holds: PastHolds;
  readonly resources: PastResources;
  readonly system: PastSystem;
  private readonly triggersThen: PastTriggers;
  private readonly query: Readonly<Record<string, QueryValue>>;

  constructor(
    private readonly caller: Caller,
    moment: PastMoment,
  ) {
    this.query = { asOf: moment instanceof Date ? moment.toISOString() : moment };
    this.failures = new PastFailures(caller, this.query);
    this.holds = pastHolds(caller, this.query);
    this.resources = pastResources(caller, this.query);
    this.triggersThen = pastTriggers(caller, this.query);
    this.system = new PastSystem(caller, this.query);
  }

  queue(name: string): PastQueue {
    return new PastQueue(this.caller, name, this.query);
  }

  /** Every task that matched then, by id. Fetches page by page as you iterate; all pages are of one position. */
  tasks(filter: PastTaskFilter = {}, options: PastPageOptions = {}): AsyncGenerator<TaskSummary> {
    return everyItem((cursor) => this.taskPage(filter, { ...options, cursor }), options.cursor);
  }

  /** One page, which may have fewer tasks than asked for although others follow. Its `asOf` names the position. */
  taskPage(filter: PastTaskFilter = {}, options: PastPageOptions = {}): Promise<TaskPage> {
    const query = { ...filterQuery(filter), ...pageAt(this.query, options) };
    return this.caller.call('listTasks', { query }, callOf(options));
  }

  /** Every queue that there was, by name. */
  queues(options: PastPageOptions & OfService = {}): AsyncGenerator<QueueView> {
    return everyItem((cursor) => this.queuePage({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  queuePage({ internal, ...options }: PastPageOptions & OfService = {}): Promise<QueueList> {
    const query = { internal, ...pageAt(this.query, options) };
    return this.caller.call('listQueues', { query }, callOf(options));
  }

  /** The statistics of every queue that there was, by name, without what is read task by task. */
  queueStats(options: PastPageOptions & OfService = {}): AsyncGenerator<QueueStats> {
    return everyItem((cursor) => this.queueStatsPage({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  queueStatsPage({ internal, ...options }: PastPageOptions & OfService = {}): Promise<QueueStatsList> {
    const query = { internal, ...pageAt(this.query, options) };
    return this.caller.call('listQueueStats', { query }, callOf(options));
  }

  /** Every worker that had claimed a task or reported on one within the week before, by name. */
  workers(options: PastPageOptions & OfService = {}): AsyncGenerator<WorkerView> {
    return everyItem((cursor) => this.workerPage({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  workerPage({ internal, ...options }: PastPageOptions & OfService = {}): Promise<WorkerList> {
    const query = { internal, ...pageAt(this.query, options) };
    return this.caller.call('listWorkers', { query }, callOf(options));
  }

  batch(id: string): PastBatch {
    return new PastBatch(this.caller, id, this.query);
  }

  /** Every batch that matched then, the newest first; without a state, all but deleted ones. */
  batches(options: PastPageOptions & BatchFilter = {}): AsyncGenerator<BatchPage['items'][number]> {
    return everyItem((cursor) => this.batchPage({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  batchPage({ q, state, ...options }: PastPageOptions & BatchFilter = {}): Promise<BatchPage> {
    const query = { q, state, ...pageAt(this.query, options) };
    return this.caller.call('listBatches', { query }, callOf(options));
  }

  /** Every trigger that there was, by name. */
  triggers(options: PastPageOptions = {}): AsyncGenerator<TriggerView> {
    return this.triggersThen.list(options);
  }

  /** One page. Its `asOf` names the position. */
  triggerPage(options: PastPageOptions = {}): Promise<TriggerList> {
    return this.triggersThen.page(options);
  }

  trigger(name: string): PastTrigger {
    return new PastTrigger(this.triggersThen, name);
  }

  task(id: string): PastTask {
    return new PastTask(this.caller, id, this.query);
  }
}

/** One task as it was. */
export class PastTask {
  constructor(
    private readonly caller: Caller,
    readonly id: string,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  /** Its `asOf` names the position that the moment means. */
  get(options?: CallOptions): Promise<TaskDetails> {
    return this.caller.call('getTask', { path: { id: this.id }, query: this.query }, options);
  }

  /** Its payload of then, also one that is stored outside the log. */
  async payload(options?: CallOptions): Promise<unknown> {
    const input = { path: { id: this.id }, query: this.query };
    return (await this.caller.call('getTaskPayload', input, options)).payload;
  }

  /** Where its waiting time had gone by then. */
  wait(options?: CallOptions): Promise<TaskWait> {
    return this.caller.call('getTaskWait', { path: { id: this.id }, query: this.query }, options);
  }

  /** Every reason why it was not running, by the policy of then and the rules of today. */
  why(options?: CallOptions): Promise<TaskExplanation> {
    return this.caller.call('getTaskExplanation', { path: { id: this.id }, query: this.query }, options);
  }

  /** What it waited for, and what waited for it; over one step with `depth: 1`. */
  graph({ depth, ...options }: CallOptions & { readonly depth?: number } = {}): Promise<TaskGraph> {
    return this.caller.call('getTaskGraph', { path: { id: this.id }, query: { ...this.query, depth } }, options);
  }

  /** What had happened to it, the oldest first. */
  history(options?: CallOptions): Promise<EventList> {
    return this.caller.call('getTaskHistory', { path: { id: this.id }, query: this.query }, options);
  }
}

/** One batch as it was. */
export class PastBatch {
  constructor(
    private readonly caller: Caller,
    readonly id: string,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  get(options?: CallOptions): Promise<BatchDetails> {
    return this.caller.call('getBatch', { path: { id: this.id }, query: this.query }, options);
  }

  /** Its tasks in levels, with what each waited for. */
  graph(options?: CallOptions): Promise<TaskGraph> {
    return this.caller.call('getBatchGraph', { path: { id: this.id }, query: this.query }, options);
  }

  /** How many of its tasks were in each state of each queue, and at which step. */
  tally(options?: CallOptions): Promise<BatchTallyList> {
    return this.caller.call('tallyBatch', { path: { id: this.id }, query: this.query }, options);
  }

  /** What it had reported, the newest first. */
  reports(options: PastPageOptions = {}): AsyncGenerator<BatchReportPage['items'][number]> {
    return everyItem((cursor) => this.reportPage({ ...options, cursor }), options.cursor);
  }

  reportPage(options: PastPageOptions = {}): Promise<BatchReportPage> {
    const query = pageAt(this.query, options);
    return this.caller.call('listBatchReports', { path: { id: this.id }, query }, callOf(options));
  }

  /** What had happened to it, the oldest first. Fetches page by page as you iterate; all pages are of one position. */
  history(options: PastHistoryOptions = {}): AsyncGenerator<EventView> {
    return everyItem((cursor) => this.historyPage({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  historyPage(options: PastHistoryOptions = {}): Promise<EventPage> {
    return historyPage(
      this.caller,
      { operation: 'getBatchHistory', path: { id: this.id }, moment: this.query },
      options,
    );
  }
}

/** One queue as it was. */
export class PastQueue {
  constructor(
    private readonly caller: Caller,
    readonly name: string,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  /** How many tasks were in each state. */
  tally(options?: CallOptions): Promise<QueueTally> {
    return this.caller.call('tallyQueue', { path: { queue: this.name }, query: this.query }, options);
  }

  get(options?: CallOptions): Promise<QueueView> {
    return this.caller.call('getQueue', { path: { queue: this.name }, query: this.query }, options);
  }

  /** Its statistics. */
  stats(options?: CallOptions): Promise<QueueStatsDetails> {
    return this.caller.call('getQueueStats', { path: { queue: this.name }, query: this.query }, options);
  }

  /** What had happened in an interval, in buckets of equal length: of the last day before the moment, if you name none. */
  async figures({ from = '24h', to = 'now', bucket, ...options }: PastFiguresOptions = {}): Promise<QueueHistory> {
    const query = { ...this.query, from: isoTime('from', from), to: isoTime('to', to), bucket };
    const { history } = await this.caller.call('getQueueStats', { path: { queue: this.name }, query }, options);
    return history!; // which the service promises to those who name an interval
  }

  /** The versions of its policy that there were, the newest first. Fetches page by page as you iterate. */
  versions(options: PastPageOptions = {}): AsyncGenerator<PolicyVersion> {
    return everyItem((cursor) => this.versionPage({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  versionPage(options: PastPageOptions = {}): Promise<PolicyVersionPage> {
    const query = pageAt(this.query, options);
    return this.caller.call('listPolicyVersions', { path: { queue: this.name }, query }, callOf(options));
  }

  /** Who had set each field of its policy, when and why. */
  blame(options?: CallOptions): Promise<PolicyBlame> {
    return this.caller.call('blamePolicy', { path: { queue: this.name }, query: this.query }, options);
  }

  /** What had happened to it, the oldest first. Fetches page by page as you iterate; all pages are of one position. */
  history(options: PastHistoryOptions = {}): AsyncGenerator<EventView> {
    return everyItem((cursor) => this.historyPage({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  historyPage(options: PastHistoryOptions = {}): Promise<EventPage> {
    return historyPage(
      this.caller,
      { operation: 'getQueueHistory', path: { queue: this.name }, moment: this.query },
      options,
    );
  }
}

/** One trigger as it was. */
export class PastTrigger {
  constructor(
    private readonly triggers: PastTriggers,
    readonly name: string,
  ) {}

  get(options?: CallOptions): Promise<TriggerView> {
    return this.triggers.get(this.name, options);
  }

  /** What had happened to it, the oldest first. Fetches page by page as you iterate; all pages are of one position. */
  history(options: PastHistoryOptions = {}): AsyncGenerator<EventView> {
    return this.triggers.history(this.name, options);
  }

  /** One page. Its `asOf` names the position. */
  historyPage(options: PastHistoryOptions = {}): Promise<EventPage> {
    return this.triggers.historyPage(this.name, options);
  }
}

/** The system as it was. */
export class PastSystem {
  constructor(
    private readonly caller: Caller,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  getDrain(options?: CallOptions): Promise<DrainState> {
    return this.caller.call('getDrain', { query: this.query }, options);
  }

  /** What had happened to it: when it was drained and resumed, the oldest first. Fetches page by page as you iterate; all pages are of one position. */
  history(options: PastHistoryOptions = {}): AsyncGenerator<EventView> {
    return everyItem((cursor) => this.historyPage({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  historyPage(options: PastHistoryOptions = {}): Promise<EventPage> {
    return historyPage(this.caller, { operation: 'getSystemHistory', moment: this.query }, options);
  }
}
