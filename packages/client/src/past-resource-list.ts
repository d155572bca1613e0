import type { ResourceList, ResourceView } from '@waybill/contracts';
import type { Caller } from './caller.js';
import { historyPage } from './history.js';
import { callOf, type MomentQuery, pageAt } from './past-page.js';
import { PastThings } from './past-things.js';

/** The resources that were defined. */
export type PastResources = PastThings<ResourceView, ResourceList>;

export const pastResources = (caller: Caller, query: MomentQuery): PastResources =>
  new PastThings({
    get: (resource, options) => caller.call('getResource', { path: { resource }, query }, options),
    page: (options) => caller.call('listResources', { query: pageAt(query, options) }, callOf(options)),
    history: (resource, options) =>
      historyPage(caller, { operation: 'getResourceHistory', path: { resource }, moment: query }, options),
  });
