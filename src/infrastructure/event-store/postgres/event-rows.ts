import type pg from 'pg';
import type { Envelope, EventFilter, RecordedEvent } from '../../../application/kernel/event-store.port.js';
import { eventCodec } from '../event-schemas.js';

export interface EventRow {
  readonly position: string;
  readonly revision: number;
  readonly type: string;
  readonly version: number;
  readonly id: string;
  readonly recorded_at: string;
  readonly data: string;
  readonly meta: string;
}

export const recordedEvent = (row: EventRow, stream: string): RecordedEvent => ({
  position: BigInt(row.position),
  stream,
  revision: row.revision,
  id: row.id,
  recordedAt: row.recorded_at,
  event: eventCodec.decode(row.type, row.version, row.data),
  envelope: JSON.parse(row.meta) as Envelope,
});

const SELECT = `select e.position, coalesce(n.name, e.category || '-' || e.stream) as stream, e.revision, e.type, e.version,
  e.id, e.recorded_at, e.data, e.meta from events e left join stream_names n on n.stream = e.stream`;

/** The log after a position, in order; each combination of filters is one prepared statement. */
export function logQuery(after: bigint, limit: number, { categories, types, queue }: EventFilter): pg.QueryConfig {
  const values: unknown[] = [after.toString(), limit];
  const conditions = ['e.position > $1'];
  const add = (condition: string, value: unknown): void => {
    conditions.push(condition.replace('?', `$${values.push(value)}`));
  };
  if (categories) add('e.category = any(?)', categories);
  if (types) add('e.type = any(?)', types);
  if (queue !== undefined) add(`e.data::jsonb->>'queue' = ?`, queue);
  const where = conditions.join(' and ');
  const filters = [categories, types, queue].map((filter) => (filter === undefined ? '' : '_f')).join('-');
  return { name: `waybill_log${filters}`, text: `${SELECT} where ${where} order by e.position limit $2`, values };
}
