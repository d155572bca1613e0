import type { EventView, HoldDefinition, HoldView, Receipt } from '@waybill/contracts';
import type { Caller, ReadOptions, ReasonOptions } from './caller.js';
import { type HistoryOptions, historyOf } from './history.js';
import { readQuery } from './read-query.js';
import { everyItem, pageQuery, type PageOptions } from './task-list.js';

export interface HoldOptions extends ReasonOptions, Pick<HoldDefinition, 'forbidsErasure'> {}

/** What keeps tasks from being given out, or from being erased, by their labels. */
export class Holds {
  constructor(private readonly caller: Caller) {}

  /** From now on, tasks with all of these labels are held when their turn comes, or cannot be erased. Changes a hold that is placed already. */
  place(hold: string, labels: HoldDefinition['labels'], options: HoldOptions = {}): Promise<Receipt> {
    const { reason, forbidsErasure } = options;
    return this.caller.call('placeHold', { path: { hold }, body: { labels, reason, forbidsErasure } }, options);
  }

  /** The tasks that it caught stay held, and can be released. */
  lift(hold: string, options: ReasonOptions = {}): Promise<Receipt> {
    return this.caller.call('liftHold', { path: { hold }, query: { reason: options.reason } }, options);
  }

  get(hold: string, options: ReadOptions = {}): Promise<HoldView> {
    return this.caller.call('getHold', { path: { hold }, query: readQuery(options) }, options);
  }

  /** Everything that happened to the hold, the oldest event first. Fetches page by page as you iterate. */
  history(hold: string, options: HistoryOptions = {}): AsyncGenerator<EventView> {
    return historyOf(this.caller, { operation: 'getHoldHistory', path: { hold } }, options);
  }

  /** Every hold in force, ordered by name. Fetches page by page as you iterate. */
  list(options: PageOptions = {}): AsyncGenerator<HoldView> {
    const page = (cursor?: string) =>
      this.caller.call('listHolds', { query: pageQuery({ ...options, cursor }) }, options);
    return everyItem(page, options.cursor);
  }
}
