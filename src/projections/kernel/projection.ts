import type { EventOf, EventType } from '../../domain/events.js';
import type { Recorded } from './event-log.port.js';
import { assertKnown } from './known-events.js';
import type { RowChange } from './row-change.js';
import type { Table } from './table.js';

/**
 * A read model: pure rules from events to row changes. `version` grows when its rows must be built anew.
 * `project` has a rule for each of its types and is silent on every other known one.
 */
export interface Projection<T extends EventType = EventType> {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly Table[];
  readonly project: Rules<T>;
}

export type Rules<T extends EventType> = { readonly [K in T]: Rule<K> };
export type Rule<T extends EventType> = (recorded: Recorded<EventOf<T>>) => readonly RowChange[];

/** The rows' changes that `recorded` asks for; throws on an event that this program does not know. */
export function changesOf(projection: Projection<never>, recorded: Recorded): readonly RowChange[] {
  assertKnown(recorded.event);
  const rules = projection.project as Readonly<
    Record<string, ((recorded: Recorded) => readonly RowChange[]) | undefined>
  >;
  return rules[recorded.event.type]?.(recorded) ?? NONE;
}

const NONE: readonly RowChange[] = [];
