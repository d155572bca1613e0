import { BATCH_EVENTS } from './batch/batch.events.js';
import { BATCH_CATEGORY } from './batch/batch.stream.js';
import type { EventDeclaration, EventEffect, EventsOf } from './kernel/event-declaration.js';
import { HOLD_EVENTS } from './hold/hold.events.js';
import { HOLD_CATEGORY } from './hold/hold.stream.js';
import { CONSUMER_EVENTS } from './queue-consumer/consumer.events.js';
import { CONSUMER_CATEGORY } from './queue-consumer/consumer.stream.js';
import { QUEUE_EVENTS } from './queue/queue.events.js';
import { QUEUE_CATEGORY } from './queue/queue.stream.js';
import { RESOURCE_EVENTS } from './resource/resource.events.js';
import { RESOURCE_CATEGORY } from './resource/resource.stream.js';
import { SYSTEM_EVENTS } from './system/system.events.js';
import { SYSTEM_CATEGORY } from './system/system.stream.js';
import { TASK_EVENTS } from './task/task.events.js';
import { TASK_CATEGORY } from './task/task.stream.js';
import { TRIGGER_EVENTS } from './trigger/trigger.events.js';
import { TRIGGER_CATEGORY } from './trigger/trigger.stream.js';

/** Every aggregate with its events, by the category that begins the names of its streams. */
const AGGREGATES = {
  [TASK_CATEGORY]: TASK_EVENTS,
  [QUEUE_CATEGORY]: QUEUE_EVENTS,
  [CONSUMER_CATEGORY]: CONSUMER_EVENTS,
  [TRIGGER_CATEGORY]: TRIGGER_EVENTS,
  [HOLD_CATEGORY]: HOLD_EVENTS,
  [RESOURCE_CATEGORY]: RESOURCE_EVENTS,
  [SYSTEM_CATEGORY]: SYSTEM_EVENTS,
  [BATCH_CATEGORY]: BATCH_EVENTS,
};

export type Category = keyof typeof AGGREGATES;

/** Any event. */
export type KnownEvent = { readonly [C in Category]: EventsOf<(typeof AGGREGATES)[C]> }[Category];
export type EventType = KnownEvent['type'];
export type EventOf<T extends EventType> = Extract<KnownEvent, { readonly type: T }>;

export interface CatalogueEntry extends EventDeclaration {
  readonly category: Category;
}

export const CATEGORIES = Object.keys(AGGREGATES) as readonly Category[];

/** The beginning of a stream's name. */
export const categoryOf = (stream: string): string => stream.slice(0, stream.indexOf('-'));

/** The aggregates that people name. `named` stands before the name in the names of their streams. */
const NAMED: ReadonlySet<string> = new Set<Category>([TRIGGER_CATEGORY, HOLD_CATEGORY, RESOURCE_CATEGORY]);

/** The id or the name of the stream's aggregate, as callers know it. */
export const idOfStream = (stream: string): string => {
  const category = categoryOf(stream);
  return stream.slice(category.length + (NAMED.has(category) ? '-named-' : '-').length);
};

/**
 * The event catalogue: each type of event, declared once in the folder of its aggregate. Everything that depends on
 * event types derives from it.
 */
export const EVENTS = Object.fromEntries(CATEGORIES.flatMap(entriesOf)) as Readonly<Record<EventType, CatalogueEntry>>;

function entriesOf(category: Category): readonly (readonly [string, CatalogueEntry])[] {
  const declarations: Readonly<Record<string, EventDeclaration>> = AGGREGATES[category];
  return Object.entries(declarations).map(([type, declaration]) => [type, { category, ...declaration }]);
}

const BY_TYPE: ReadonlyMap<string, CatalogueEntry> = new Map(Object.entries(EVENTS));

/** The entry of a type; undefined if the type is unknown. */
export const entryOf = (type: string): CatalogueEntry | undefined => BY_TYPE.get(type);

/** The types of event with this effect. Build the set once, because it is used for every stored event. */
export const eventsWith = (effect: EventEffect): ReadonlySet<string> =>
  new Set([...BY_TYPE].flatMap(([type, { effects }]) => (effects.includes(effect) ? type : [])));
