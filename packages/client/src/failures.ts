import type { FailureGroupSummary, FailureGroupView, Receipt } from '@waybill/contracts';
import type { Caller, ReadOptions, ReasonOptions } from './caller.js';
import { readQuery } from './read-query.js';
import { everyItem, pageQuery, type PageOptions } from './task-list.js';

export interface FailureGroupFilter {
  /** Only failures of tasks of this queue. */
  readonly queue?: string;
  readonly state?: FailureGroupSummary['state'];
  readonly class?: FailureGroupSummary['class'];
  /** `latest`: what was seen last comes first (the default). `most`: what most tasks or attempts failed with. */
  readonly order?: 'latest' | 'most';
}

export interface ResolveOptions extends ReasonOptions {
  /** The build of the workers that repaired the cause. */
  readonly build?: string;
  /** The id of the operation that repaired it. */
  readonly operation?: string;
}

/** Failures in groups of the same cause. `group` in the filter of a list of tasks or of an operation names one. */
export class Failures {
  constructor(private readonly caller: Caller) {}

  /** Every group that matches. Fetches page by page as you iterate. */
  list(options: FailureGroupFilter & PageOptions = {}): AsyncGenerator<FailureGroupSummary> {
    const { queue, state, class: ofClass, order, ...pages } = options;
    const page = (cursor?: string) => {
      const query = { queue, state, class: ofClass, order, ...pageQuery({ ...pages, cursor }) };
      return this.caller.call('listFailureGroups', { query }, options);
    };
    return everyItem(page, options.cursor);
  }

  /** With what changed before it began, and what repaired it last time. */
  get(group: string, options: ReadOptions & { readonly queue?: string } = {}): Promise<FailureGroupView> {
    const query = { queue: options.queue, ...readQuery(options) };
    return this.caller.call('getFailureGroup', { path: { group }, query }, options);
  }

  /** Says that the cause is gone. If a task fails like that again, the group is open again. */
  resolve(group: string, options: ResolveOptions = {}): Promise<Receipt> {
    const { reason, build, operation } = options;
    return this.caller.call('resolveFailureGroup', { path: { group }, body: { reason, build, operation } }, options);
  }

  /** Says that its failures need nobody. They are still counted. */
  ignore(group: string, options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('ignoreFailureGroup', { path: { group }, body: { reason: options.reason } }, options);
  }

  reopen(group: string, options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('reopenFailureGroup', { path: { group }, body: { reason: options.reason } }, options);
  }
}
