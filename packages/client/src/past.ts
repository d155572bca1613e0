import type {
  DrainState,
  HoldView,
  QueueTally,
  QueueView,
  ResourceView,
  TaskDetails,
  TaskPage,
  TaskSummary,
  TriggerView,
} from '@waybill/contracts';
import type { Caller, CallOptions } from './caller.js';
import { everyItem, filterQuery, type TaskFilter } from './task-list.js';
import type { QueryValue } from './transport.js';

/** A moment: a time, a position of the log, or how long ago, such as `10m`. */
export type PastMoment = Date | string;

/** Lists of the past have the order of ids. */
export type PastTaskFilter = Omit<TaskFilter, 'sort'>;

export interface PastPageOptions extends CallOptions {
  readonly cursor?: string | undefined;
  /** From 1 to 500. */
  readonly limit?: number | undefined;
}

/** What the service shows as of a moment. It has no commands, because nobody changes the past. */
export class PastWaybill {
  readonly holds: PastHolds;
  readonly resources: PastResources;
  readonly system: PastSystem;
  private readonly query: Readonly<Record<string, QueryValue>>;

  constructor(
    private readonly caller: Caller,
    moment: PastMoment,
  ) {
    this.query = { asOf: moment instanceof Date ? moment.toISOString() : moment };
    this.holds = new PastHolds(caller, this.query);
    this.resources = new PastResources(caller, this.query);
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
    const { cursor, limit, ...call } = options;
    return this.caller.call('listTasks', { query: { ...filterQuery(filter), ...this.query, cursor, limit } }, call);
  }

  trigger(name: string): PastTrigger {
    return new PastTrigger(this.caller, name, this.query);
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
}

/** One trigger as it was. */
export class PastTrigger {
  constructor(
    private readonly caller: Caller,
    readonly name: string,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  get(options?: CallOptions): Promise<TriggerView> {
    return this.caller.call('getTrigger', { path: { trigger: this.name }, query: this.query }, options);
  }
}

/** The holds as they were. */
export class PastHolds {
  constructor(
    private readonly caller: Caller,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  get(hold: string, options?: CallOptions): Promise<HoldView> {
    return this.caller.call('getHold', { path: { hold }, query: this.query }, options);
  }
}

/** The resources as they were. */
export class PastResources {
  constructor(
    private readonly caller: Caller,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  get(resource: string, options?: CallOptions): Promise<ResourceView> {
    return this.caller.call('getResource', { path: { resource }, query: this.query }, options);
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
}
