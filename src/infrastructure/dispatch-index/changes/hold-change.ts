import type { HoldEvent } from '../../../domain/hold/hold.events.js';
import type { RowChange } from './index-change.js';

export const holdChange = (events: readonly HoldEvent[]): RowChange => ({
  kind: 'row',
  table: 'holds',
  row: Object.assign({ name: events[0]!.data.hold }, ...events.map(columnsOf)) as Record<string, unknown>,
});

function columnsOf({ type, data }: HoldEvent): Record<string, unknown> {
  if (type === 'HoldLifted')
    return { state: 'lifted', label: null, value: null, lifted_by: data.by, lifted_at: data.at };
  const { labels } = data.selector;
  const [label, value] = Object.entries(labels)[0]!;
  const placed = { reason: data.reason ?? null, placed_by: data.by, placed_at: data.at };
  return { state: 'placed', labels, label, value, ...placed, lifted_by: null, lifted_at: null };
}
