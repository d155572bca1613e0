import type { EnqueueResult, TriggerDefinition, TriggerReceipt, TriggerView } from '@waybill/contracts';
import type { Caller, ReadOptions, ReasonOptions } from './caller.js';
import { readQuery } from './read-query.js';

export interface FireOptions extends ReasonOptions {
  /** Of the task. */
  readonly id?: string;
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

  /** Its tasks stay. */
  delete(options: ReasonOptions = {}): Promise<TriggerReceipt> {
    return this.caller.call(
      'deleteTrigger',
      { path: { trigger: this.name }, query: { reason: options.reason } },
      options,
    );
  }
}
