import type { FailureGroupList, FailureGroupSummary, FailureGroupView } from '@waybill/contracts';
import type { Caller, CallOptions } from './caller.js';
import type { FailureGroupFilter } from './failures.js';
import { callOf, type MomentQuery, pageAt, type PastPageOptions } from './past-page.js';
import { everyItem } from './task-list.js';

/** Failures in groups of the same cause, as they were. */
export class PastFailures {
  constructor(
    private readonly caller: Caller,
    private readonly moment: MomentQuery,
  ) {}

  /** Every group that matched. Fetches page by page as you iterate; all pages are of one position. */
  list(options: FailureGroupFilter & PastPageOptions = {}): AsyncGenerator<FailureGroupSummary> {
    return everyItem((cursor) => this.page({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  page(options: FailureGroupFilter & PastPageOptions = {}): Promise<FailureGroupList> {
    const { queue, state, class: ofClass, order, ...pages } = options;
    const query = { queue, state, class: ofClass, order, ...pageAt(this.moment, pages) };
    return this.caller.call('listFailureGroups', { query }, callOf(pages));
  }

  /** With what had changed before it began, and what had repaired it last. */
  get(
    group: string,
    { queue, ...options }: CallOptions & { readonly queue?: string | undefined } = {},
  ): Promise<FailureGroupView> {
    return this.caller.call('getFailureGroup', { path: { group }, query: { queue, ...this.moment } }, options);
  }
}
