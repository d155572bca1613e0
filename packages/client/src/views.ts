import type { Receipt, SavedView, ViewDefinition } from '@waybill/contracts';
import type { Caller, ReadOptions, ReasonOptions } from './caller.js';
import { readQuery } from './read-query.js';

/** Lists of tasks that everybody finds under their names. */
export class Views {
  constructor(private readonly caller: Caller) {}

  /** Everybody finds it from now on. Changes what a view of this name shows. */
  save(view: string, definition: Omit<ViewDefinition, 'reason'> = {}, options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('saveView', { path: { view }, body: { reason: options.reason, ...definition } }, options);
  }

  /** It can be saved anew. */
  delete(view: string, options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('deleteView', { path: { view }, query: { reason: options.reason } }, options);
  }

  /** Every view, ordered by name. There are at most 100. */
  async list(options: ReadOptions = {}): Promise<readonly SavedView[]> {
    const { items } = await this.caller.call('listViews', { query: readQuery(options) }, options);
    return items;
  }
}
