import type pg from 'pg';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { Envelope, EventFilter, RecordedEvent } from '../../application/kernel/event-store.port.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { streamKey } from '../database/stream-key.js';

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

/** Strict: a stream is read to be decided on. */
export const streamEvent = (row: EventRow, stream: string): RecordedEvent =>
  recorded(row, stream, eventCodec.decode(row.type, row.version, row.data), JSON.parse(row.meta) as Envelope);

/**
 * Lenient: one unknown event must not stop every reader of the log; whoever cannot pass over it stops by itself.
 * The events of one append have one envelope, which is parsed once.
 */
export function loggedEvents(rows: readonly (EventRow & { readonly stream: string })[]): RecordedEvent[] {
  const envelopes = new Map<string, Envelope>();
  return rows.map((row) => {
    const envelope = envelopes.get(row.meta) ?? (JSON.parse(row.meta) as Envelope);
    envelopes.set(row.meta, envelope);
    return recorded(row, row.stream, eventCodec.decodeAny(row.type, row.version, row.data), envelope);
  });
}

const recorded = (row: EventRow, stream: string, event: DomainEvent, envelope: Envelope): RecordedEvent => ({
  position: BigInt(row.position),
  stream,
  revision: row.revision,
  id: row.id,
  recordedAt: row.recorded_at,
  event,
  envelope,
});

const SELECT = `select e.position, coalesce(n.name, e.category || '-' || e.stream) as stream, e.revision, e.type, e.version,
  e.id, e.recorded_at, e.data, e.meta from events e left join stream_names n on n.stream = e.stream`;

/** The log after a position, in order; each combination of filters is one prepared statement. */
export function logQuery(
  after: bigint,
  limit: number,
  { stream, categories, types, queue, actor }: EventFilter,
): pg.QueryConfig {
  const values: unknown[] = [after.toString(), limit];
  const conditions = ['e.position > $1'];
  const add = (condition: string, value: unknown): void => {
    conditions.push(condition.replace('?', `$${values.push(value)}`));
  };
  if (stream !== undefined) add('e.stream = ?', streamKey(stream).id);
  if (categories) add('e.category = any(?)', categories);
  if (types) add('e.type = any(?)', types);
  if (queue !== undefined) add(`e.data::jsonb->>'queue' = ?`, queue);
  if (actor !== undefined) add(`e.meta::jsonb->>'actor' = ?`, actor);
  const where = conditions.join(' and ');
  const filters = [stream, categories, types, queue, actor]
    .map((filter) => (filter === undefined ? '' : '_f'))
    .join('-');
  return { name: `waybill_log${filters}`, text: `${SELECT} where ${where} order by e.position limit $2`, values };
}

/**
 * Halves the log by its primary key until it finds where the time begins, and then looks at the times one by one: of two
 * neighbours the later one may have the earlier time, because processes wait for their turn and clocks are set.
 */
const POSITION_BEFORE = `with recursive search (low, high) as (
    select 0::bigint, coalesce(max(position), 0) from events
  union all
    select case when e.early then e.position else s.low end, case when e.early then s.high else (s.low + s.high) / 2 end
    from search s cross join lateral (select position, recorded_at < $1::timestamptz - interval '1 minute' as early
      from events where position > (s.low + s.high) / 2 order by position limit 1) e
    where s.low < s.high
  )
  select coalesce(
    (select position - 1 from events where position > (select max(low) from search) and recorded_at >= $1::timestamptz
       order by position limit 1),
    (select max(position) from events), 0) as position`;

export const positionBeforeQuery = (time: string): pg.QueryConfig => ({
  name: 'waybill_position_before',
  text: POSITION_BEFORE,
  values: [time],
});
