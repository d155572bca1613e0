import type { EventView, MeasureResult, Receipt, ResourceDefinition, ResourceView } from '@waybill/contracts';
import type { CallOptions, Caller, ReadOptions, ReasonOptions } from './caller.js';
import { type HistoryOptions, historyOf } from './history.js';
import { readQuery } from './read-query.js';
import { everyItem, pageQuery, type PageOptions } from './task-list.js';

/** What steps of queues need, by gauges that workers measure. */
export class Resources {
  constructor(private readonly caller: Caller) {}

  /** Steps may need it from now on. It is short until somebody measures it. Changes a resource that exists already. */
  define(
    resource: string,
    definition: Omit<ResourceDefinition, 'reason'> = {},
    options: ReasonOptions = {},
  ): Promise<Receipt> {
    return this.caller.call(
      'defineResource',
      { path: { resource }, body: { reason: options.reason, ...definition } },
      options,
    );
  }

  /** Refused while a step of a queue needs it. */
  delete(resource: string, options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('deleteResource', { path: { resource }, query: { reason: options.reason } }, options);
  }

  /** Says what its gauge shows now. Tasks that waited for a limit that it is below again are given out at once. */
  measure(resource: string, value: number, options: CallOptions = {}): Promise<MeasureResult> {
    return this.caller.call('measureResource', { path: { resource }, body: { value } }, options);
  }

  get(resource: string, options: ReadOptions = {}): Promise<ResourceView> {
    return this.caller.call('getResource', { path: { resource }, query: readQuery(options) }, options);
  }

  /** Everything that happened to the resource, the oldest event first. Fetches page by page as you iterate. */
  history(resource: string, options: HistoryOptions = {}): AsyncGenerator<EventView> {
    return historyOf(this.caller, { operation: 'getResourceHistory', path: { resource } }, options);
  }

  /** Every resource, ordered by name. Fetches page by page as you iterate. */
  list(options: PageOptions = {}): AsyncGenerator<ResourceView> {
    const page = (cursor?: string) =>
      this.caller.call('listResources', { query: pageQuery({ ...options, cursor }) }, options);
    return everyItem(page, options.cursor);
  }
}
