import type { ResourceList, ResourceView } from '@waybill/contracts';
import type { Caller, CallOptions } from './caller.js';
import { callOf, pageAt, type PastPageOptions } from './past-page.js';
import { everyItem } from './task-list.js';
import type { QueryValue } from './transport.js';

/** The resources as they were. */
export class PastResources {
  constructor(
    private readonly caller: Caller,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  get(resource: string, options?: CallOptions): Promise<ResourceView> {
    return this.caller.call('getResource', { path: { resource }, query: this.query }, options);
  }

  /** Every one that was defined then, by name. */
  list(options: PastPageOptions = {}): AsyncGenerator<ResourceView> {
    return everyItem((cursor) => this.page({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  page(options: PastPageOptions = {}): Promise<ResourceList> {
    return this.caller.call('listResources', { query: pageAt(this.query, options) }, callOf(options));
  }
}
