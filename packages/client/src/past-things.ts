import type { EventPage, EventView } from '@waybill/contracts';
import type { CallOptions } from './caller.js';
import type { HistoryFilter } from './history.js';
import type { PastPageOptions } from './past-page.js';
import { everyItem } from './task-list.js';

interface Page<V> {
  readonly items: readonly V[];
  readonly nextCursor: string | null;
}

/** Which events to show of those up to the moment. */
export type PastHistoryOptions = PastPageOptions & HistoryFilter;

/** How to ask for such things as of the moment. */
export interface PastCalls<V, P extends Page<V>> {
  get(name: string, options?: CallOptions): Promise<V>;
  page(options: PastPageOptions): Promise<P>;
  history(name: string, options: PastHistoryOptions): Promise<EventPage>;
}

/** What has a name, as it was: holds, resources, triggers. */
export class PastThings<V, P extends Page<V>> {
  constructor(private readonly calls: PastCalls<V, P>) {}

  get(name: string, options?: CallOptions): Promise<V> {
    return this.calls.get(name, options);
  }

  /** Every one that was in the list then, by name. Fetches page by page as you iterate; all pages are of one position. */
  list(options: PastPageOptions = {}): AsyncGenerator<V> {
    return everyItem((cursor) => this.page({ ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  page(options: PastPageOptions = {}): Promise<P> {
    return this.calls.page(options);
  }

  /** What had happened to one, the oldest first. Fetches page by page as you iterate; all pages are of one position. */
  history(name: string, options: PastHistoryOptions = {}): AsyncGenerator<EventView> {
    return everyItem((cursor) => this.historyPage(name, { ...options, cursor }), options.cursor);
  }

  /** One page. Its `asOf` names the position. */
  historyPage(name: string, options: PastHistoryOptions = {}): Promise<EventPage> {
    return this.calls.history(name, options);
  }
}
