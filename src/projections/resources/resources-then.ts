import type { ResourceEvent } from '../../domain/resource/resource.events.js';
import { resourceStream } from '../../domain/resource/resource.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import type { NamedKind } from '../kernel/named-as-of.js';
import { resourceRow } from '../kernel/rows/resource-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import type { ResourceView } from './resources.queries.js';

/** Measures that cross no limit are no events, and what steps need is in the events of queues. */
const NOT_TOLD = ['state', 'measuredBy', 'needs'];

export const RESOURCES_THEN: NamedKind<ResourceView> = {
  rows: 'resources',
  isListedNow: "state = 'defined'",
  streamOf: resourceStream,
  at: (history) => {
    const view = resourceAt(history);
    return view && { view, notRecorded: NOT_TOLD };
  },
  isListed: () => true,
};

/** Its `value` is that of the last measure that crossed a limit. Null if it is deleted. */
function resourceAt(history: readonly Recorded[]): ResourceView | null {
  const row = resourceRow(eventsIn<ResourceEvent>(history)) as Readonly<Record<string, never>>;
  const { revision, position } = history.at(-1)!;
  if (row.state === 'deleted') return null;
  return {
    name: row.name!,
    description: row.description!,
    unit: row.unit!,
    staleAfterSeconds: row.stale_after!,
    state: null,
    value: row.level ?? null,
    measuredAt: row.crossed_at ?? null,
    measuredBy: null,
    definedBy: row.defined_by!,
    definedAt: row.defined_at!,
    needs: [],
    revision,
    position: String(position),
  };
}
