import type { TriggerList, TriggerView } from '@waybill/contracts';
import type { Caller } from './caller.js';
import { historyPage } from './history.js';
import { callOf, type MomentQuery, pageAt } from './past-page.js';
import { PastThings } from './past-things.js';

/** The triggers that there were. */
export type PastTriggers = PastThings<TriggerView, TriggerList>;

export const pastTriggers = (caller: Caller, query: MomentQuery): PastTriggers =>
  new PastThings({
    get: (trigger, options) => caller.call('getTrigger', { path: { trigger }, query }, options),
    page: (options) => caller.call('listTriggers', { query: pageAt(query, options) }, callOf(options)),
    history: (trigger, options) =>
      historyPage(caller, { operation: 'getTriggerHistory', path: { trigger }, moment: query }, options),
  });
