import type { HoldEvent } from '../../../domain/hold/hold.events.js';
import type { Row } from '../row.js';

export const holdRow = (events: readonly HoldEvent[]): Row =>
  Object.assign({ name: events[0]!.data.hold }, ...events.map(columnsOf)) as Row;

function columnsOf({ type, data }: HoldEvent): Row {
  if (type === 'HoldLifted')
    return { state: 'lifted', label: null, value: null, lifted_by: data.by, lifted_at: data.at };
  const { labels } = data.selector;
  const { forbidsErasure = false } = data;
  const [label, value] = forbidsErasure ? [null, null] : Object.entries(labels)[0]!;
  const placed = { reason: data.reason ?? null, placed_by: data.by, placed_at: data.at };
  return {
    state: 'placed',
    labels,
    label,
    value,
    ...placed,
    lifted_by: null,
    lifted_at: null,
    forbids_erasure: forbidsErasure,
  };
}
