import type { EventOf, EventType } from '../../domain/events.js';
import type { Recorded } from './event-log.port.js';
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
  readonly project: Rules<T>;
}

export type Rules<T extends EventType> = { readonly [K in T]: Rule<K> };
export type Rule<T extends EventType> = (recorded: Recorded<EventOf<T>>) => readonly RowChange[];

/** The row changes for `recorded`. Throws on an event that this program does not know. */
export function changesOf(projection: Projection<never>, recorded: Recorded): readonly RowChange[] {
  assertKnown(recorded.event);
  const rules = projection.project as Readonly<
    Record<string, ((recorded: Recorded) => readonly RowChange[]) | undefined>
  >;
  return rules[recorded.event.type]?.(recorded) ?? NONE;
}

const NONE: readonly RowChange[] = [];
