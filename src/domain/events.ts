import { AGGREGATES, CATEGORIES, type Category } from './aggregates.js';
import type { EventDeclaration, EventEffect, EventsOf } from './kernel/event-declaration.js';

export type { Category } from './aggregates.js';

type Declarations = { readonly [C in Category]: (typeof AGGREGATES)[C]['events'] };

/** Any event. */
export type KnownEvent = { readonly [C in Category]: EventsOf<Declarations[C]> }[Category];
export type EventType = KnownEvent['type'];
export type EventOf<T extends EventType> = Extract<KnownEvent, { readonly type: T }>;

export interface CatalogueEntry extends EventDeclaration {
  readonly category: Category;
}

/**
 * The event catalogue: each type of event, declared once in the folder of its aggregate. Everything that depends on
 * event types derives from it.
 */
export const EVENTS = Object.fromEntries(CATEGORIES.flatMap(entriesOf)) as Readonly<Record<EventType, CatalogueEntry>>;

function entriesOf(category: Category): readonly (readonly [string, CatalogueEntry])[] {
  const declarations: Readonly<Record<string, EventDeclaration>> = AGGREGATES[category].events;
  return Object.entries(declarations).map(([type, declaration]) => [type, { category, ...declaration }]);
}

const BY_TYPE: ReadonlyMap<string, CatalogueEntry> = new Map(Object.entries(EVENTS));

/** The entry of a type; undefined if the type is unknown. */
export const entryOf = (type: string): CatalogueEntry | undefined => BY_TYPE.get(type);

/** The types of event with this effect. Build the set once, because it is used for every stored event. */
export const eventsWith = (effect: EventEffect): ReadonlySet<string> =>
  new Set([...BY_TYPE].flatMap(([type, { effects }]) => (effects.includes(effect) ? type : [])));
