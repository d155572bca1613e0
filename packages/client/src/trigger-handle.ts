import type {
  EnqueueResult,
  EventView,
  StartedReplay,
  TriggerDefinition,
  TriggerReceipt,
  TriggerView,
} from '@waybill/contracts';
import type { Caller, ReadOptions, ReasonOptions } from './caller.js';
import { isoTime } from './given-options.js';
import { type HistoryOptions, historyOf } from './history.js';
import { readQuery } from './read-query.js';

export interface FireOptions extends ReasonOptions {
  /** Of the task. */
  readonly id?: string;
}

/** Each place is a time, a position of the log, or `beginning`. */
export interface ReplayRange {
  readonly from: Date | string;
  /** Now if absent. */
  readonly to?: Date | string;
  /** Also more than 1,000,000 events. */
  readonly yes?: boolean;
  /** Only count the events. */
  readonly preview?: boolean;
}

/** One trigger, by name. Creating a handle sends no request. */
export class TriggerHandle {
  constructor(
    private readonly caller: Caller,
    readonly name: string,
  ) {}

  get(options: ReadOptions = {}): Promise<TriggerView> {
    return this.caller.call('getTrigger', { path: { trigger: this.name }, query: readQuery(options) }, options);
  }

  /** Everything that happened to it, the oldest event first. Fetches page by page as you iterate. */
  history(options: HistoryOptions = {}): AsyncGenerator<EventView> {
    return historyOf(this.caller, { operation: 'getTriggerHistory', path: { trigger: this.name } }, options);
  }

  /**
   * Creates the trigger, or replaces its definition. An occurrence that came and has not made its task yet makes that of the new
   * definition, unless the answer names it as `dropped`.
   */
  define(definition: TriggerDefinition, options: ReasonOptions = {}): Promise<TriggerReceipt> {
    const body = { reason: options.reason, ...definition };
    return this.caller.call('defineTrigger', { path: { trigger: this.name }, body }, options);
  }

  /** Occurrences while it was disabled make no tasks. */
  enable(options: ReasonOptions = {}): Promise<TriggerReceipt> {
    return this.caller.call(
      'enableTrigger',
      { path: { trigger: this.name }, body: { reason: options.reason } },
      options,
    );
  }

  /** Drops an occurrence that came and has not made its task yet. The answer names it. */
  disable(options: ReasonOptions = {}): Promise<TriggerReceipt> {
    return this.caller.call(
      'disableTrigger',
      { path: { trigger: this.name }, body: { reason: options.reason } },
      options,
    );
  }

  /** Makes its task now. Repeated with the same `id`, which is the task's, it has no further effect. */
  fire(options: FireOptions = {}): Promise<EnqueueResult> {
    return this.caller.call(
      'fireTrigger',
      { path: { trigger: this.name }, body: { id: options.id, reason: options.reason } },
      options,
    );
  }

  /**
   * Tells the events of a range once more: each that the trigger waits for makes a new task or delivery, marked as `replay`. Resolves when it is
   * ordered; its `id` is that of the task that carries it out.
   */
  replay(range: ReplayRange, options: ReasonOptions = {}): Promise<StartedReplay> {
    const { from, to, ...rest } = range;
    const body = { from: isoTime('from', from), to: isoTime('to', to), ...rest, reason: options.reason };
    return this.caller.call('replayTrigger', { path: { trigger: this.name }, body }, options);
  }

  /** Its tasks stay. */
  delete(options: ReasonOptions = {}): Promise<TriggerReceipt> {
    return this.caller.call(
      'deleteTrigger',
      { path: { trigger: this.name }, query: { reason: options.reason } },
      options,
    );
  }
}
