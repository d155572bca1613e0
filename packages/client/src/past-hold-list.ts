import type { HoldList, HoldView } from '@waybill/contracts';
import type { Caller } from './caller.js';
import { historyPage } from './history.js';
import { callOf, type MomentQuery, pageAt } from './past-page.js';
import { PastThings } from './past-things.js';

/** Any hold as it was, also a lifted one; the list has those in force. */
export type PastHolds = PastThings<HoldView, HoldList>;

export const pastHolds = (caller: Caller, query: MomentQuery): PastHolds =>
  new PastThings({
    get: (hold, options) => caller.call('getHold', { path: { hold }, query }, options),
    page: (options) => caller.call('listHolds', { query: pageAt(query, options) }, callOf(options)),
    history: (hold, options) =>
      historyPage(caller, { operation: 'getHoldHistory', path: { hold }, moment: query }, options),
  });
