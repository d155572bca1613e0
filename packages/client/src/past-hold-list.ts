import type { HoldList, HoldView } from '@waybill/contracts';
import type { Caller, CallOptions } from './caller.js';
import { callOf, pageAt, type PastPageOptions } from './past-page.js';
import { everyItem } from './task-list.js';
import type { QueryValue } from './transport.js';

/** The holds as they were. */
export class PastHolds {
  constructor(
    private readonly caller: Caller,
    private readonly query: Readonly<Record<string, QueryValue>>,
  ) {}

  get(hold: string, options?: CallOptions): Promise<HoldView> {
    return this.caller.call('getHold', { path: { hold }, query: this.query }, options);
  }

  /** Every one in force then, by name. */
  list(options: PastPageOptions = {}): AsyncGenerator<HoldView> {
    return everyItem((cursor) => this.page({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  page(options: PastPageOptions = {}): Promise<HoldList> {
    return this.caller.call('listHolds', { query: pageAt(this.query, options) }, callOf(options));
  }
}
