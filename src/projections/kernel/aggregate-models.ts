import type { Category } from '../../domain/events.js';

/** The read model of each aggregate, and the table of its rows, which the append writes; null if there is none. */
export const MODEL_OF = {
  task: 'tasks',
  queue: 'queues',
  consumer: null,
  trigger: 'triggers',
  hold: 'holds',
  resource: 'resources',
  system: 'system',
  batch: 'batches',
  attendance: null,
  build: null,
  failure: null,
  notary: null,
  view: 'views',
} as const satisfies { readonly [C in Category]: string | null };

export type AggregateModel = NonNullable<(typeof MODEL_OF)[Category]>;

export const AGGREGATE_MODELS = Object.values(MODEL_OF).filter((model) => model !== null);
