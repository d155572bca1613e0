import type { CallOptions } from './caller.js';
import type { PastPageOptions } from './past-page.js';
import { everyItem } from './task-list.js';

interface Page<V> {
  readonly items: readonly V[];
  readonly nextCursor: string | null;
}

/** How to ask for such things as of the moment. */
export interface PastCalls<V, P extends Page<V>> {
  get(name: string, options?: CallOptions): Promise<V>;
  page(options: PastPageOptions): Promise<P>;
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
}
