import type { EventDeclaration, EventEffect, EventsOf } from './kernel/event-declaration.js';
import { CONSUMER_EVENTS } from './queue-consumer/consumer.events.js';
import { CONSUMER_CATEGORY } from './queue-consumer/consumer.stream.js';
import { QUEUE_EVENTS } from './queue/queue.events.js';
import { QUEUE_CATEGORY } from './queue/queue.stream.js';
import { TASK_EVENTS } from './task/task.events.js';
import { TASK_CATEGORY } from './task/task.stream.js';

/** Every aggregate, by the category that its streams' names begin with, and what it records. */
const AGGREGATES = {
  [TASK_CATEGORY]: TASK_EVENTS,
  [QUEUE_CATEGORY]: QUEUE_EVENTS,
  [CONSUMER_CATEGORY]: CONSUMER_EVENTS,
};

export type Category = keyof typeof AGGREGATES;

/** Every event that there is. */
export type KnownEvent = { readonly [C in Category]: EventsOf<(typeof AGGREGATES)[C]> }[Category];
export type EventType = KnownEvent['type'];
export type EventOf<T extends EventType> = Extract<KnownEvent, { readonly type: T }>;

export interface CatalogueEntry extends EventDeclaration {
  readonly category: Category;
}

export const CATEGORIES = Object.keys(AGGREGATES) as readonly Category[];

/** What a stream's name begins with. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** The event catalogue: what is said of each type of event, once, in its aggregate's folder. All that goes by types derives from it. */
export const EVENTS = Object.fromEntries(CATEGORIES.flatMap(entriesOf)) as Readonly<Record<EventType, CatalogueEntry>>;

function entriesOf(category: Category): readonly (readonly [string, CatalogueEntry])[] {
  const declarations: Readonly<Record<string, EventDeclaration>> = AGGREGATES[category];
  return Object.entries(declarations).map(([type, declaration]) => [type, { category, ...declaration }]);
}

const BY_TYPE: ReadonlyMap<string, CatalogueEntry> = new Map(Object.entries(EVENTS));

/** The entry of a type that may be none of ours. */
export const entryOf = (type: string): CatalogueEntry | undefined => BY_TYPE.get(type);

/** The types of the events with this effect. A set, because it is asked for every event that is stored: make it once. */
export const eventsWith = (effect: EventEffect): ReadonlySet<string> =>
  new Set([...BY_TYPE].flatMap(([type, { effects }]) => (effects.includes(effect) ? type : [])));
