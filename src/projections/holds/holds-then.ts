import type { HoldEvent } from '../../domain/hold/hold.events.js';
import { holdStream } from '../../domain/hold/hold.stream.js';
import type { Recorded } from '../kernel/event-log.port.js';
import type { NamedKind } from '../kernel/named-as-of.js';
import { holdRow } from '../kernel/rows/hold-row.js';
import { eventsIn } from '../kernel/stream-as-of.js';
import type { HoldView } from './holds.queries.js';

/** The events of a hold do not tell which tasks it caught. */
const NOT_TOLD = ['holds'];

/** Each is shown also if it was lifted then; the list has those in force. */
export const HOLDS_THEN: NamedKind<HoldView> = {
  rows: 'holds',
  isListedNow: "state = 'placed'",
  streamOf: holdStream,
  at: (history) => ({ view: holdAt(history), notRecorded: NOT_TOLD }),
  isListed: ({ state }) => state === 'placed',
};

function holdAt(history: readonly Recorded[]): HoldView {
  const row = holdRow(eventsIn<HoldEvent>(history)) as Readonly<Record<string, never>>;
  const { revision, position } = history.at(-1)!;
  return {
    name: row.name!,
    state: row.state!,
    labels: row.labels!,
    reason: row.reason!,
    placedBy: row.placed_by!,
    placedAt: row.placed_at!,
    liftedBy: row.lifted_by!,
    liftedAt: row.lifted_at!,
    holds: null,
    forbidsErasure: row.forbids_erasure!,
    revision,
    position: String(position),
  };
}
