import type { EventOf, EventType } from '../../domain/events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { assertKnown } from './known-events.js';
import type { RowChange } from './row-change.js';
import type { Table } from './table.js';

/**
 * A read model: pure rules that turn events into row changes. Increase `version` when its rows must be rebuilt.
 * `project` has a rule for each of its types and ignores all other known types.
 */
export interface Projection<T extends EventType = EventType> {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly Table[];
  /** False if its rules read nothing of the private halves of events, which it may not get then. */
  readonly needsPrivate?: false;
  readonly project: Rules<T>;
}

/** Whether its rules read something of the private halves. */
export const needsPrivate = (model: Pick<Projection, 'needsPrivate'>): boolean => model.needsPrivate !== false;

export type Rules<T extends EventType> = { readonly [K in T]: Rule<K> };
export type Rule<T extends EventType> = (occurrence: Occurrence<EventOf<T>>) => readonly RowChange[];

/** The same rule for each of the types. */
export const sameRule = <T extends EventType>(types: readonly T[], rule: Rule<T>): Rules<T> =>
  Object.fromEntries(types.map((type) => [type, rule])) as unknown as Rules<T>;

/**
 * What happened, and when it was recorded. A rule that reads where it was recorded runs for each event, and not once for all
 * that are alike.
 */
export interface Occurrence<E extends DomainEvent = DomainEvent> {
  readonly event: E;
  readonly recordedAt: string;
  readonly stream: string;
  readonly position: bigint;
}

/**
 * The projection's rule for events of a type; null if it ignores them. Throws on a type or version that this program does
 * not know.
 */
export function ruleFor(projection: Projection<never>, kind: Pick<DomainEvent, 'type' | 'version'>): AnyRule | null {
  assertKnown(kind);
  return (projection.project as Readonly<Record<string, AnyRule | undefined>>)[kind.type] ?? null;
}

export type AnyRule = (occurrence: Occurrence) => readonly RowChange[];
