import type pg from 'pg';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type {
  Envelope,
  EventFilter,
  LogRange,
  RecordedEvent,
  ShownEvent,
} from '../../application/kernel/event-store.port.js';
import { categoryOf } from '../../domain/aggregates.js';
import { entryOf } from '../../domain/events.js';
import { STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import { readable } from '../../application/kernel/unreadable-stream.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { statement } from '../database/sql.js';
import { streamKey } from '../database/stream-key.js';
import { shownEvent } from './shown-event.js';

/** An event of `waybill_history`. */
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

/** Whether a page of these events may have ended before the last one of the stream. */
export const isCut = (rows: readonly EventRow[], limit: number): boolean =>
  rows.length >= limit || rows.reduce((bytes, { data }) => bytes + Buffer.byteLength(data), 0) >= STEP_BYTES;

/** Whether an event is of this stream, and not of that of another category with the same id. */
export const isOf = (stream: string, { type }: EventRow): boolean =>
  (entryOf(type)?.category ?? categoryOf(stream)) === categoryOf(stream);

/** Throws `UnreadableStream` on an unknown event, because a decision needs the whole stream. */
export const streamEvent = (row: EventRow, stream: string): RecordedEvent =>
  readable(stream, BigInt(row.position), () =>
    recorded(row, stream, eventCodec.decode(row.type, row.version, row.data)),
  );

/** The event for the history, which goes on past what is unknown or damaged. */
export const shownStreamEvent = (row: EventRow, stream: string): ShownEvent => shownEvent(placeOf(row, stream), row);

const recorded = (row: EventRow, stream: string, event: DomainEvent): RecordedEvent => ({
  ...placeOf(row, stream),
  event,
  envelope: JSON.parse(row.meta) as Envelope,
});

const placeOf = (row: EventRow, stream: string) => ({
  position: BigInt(row.position),
  stream,
  revision: row.revision,
  id: row.id,
  recordedAt: row.recorded_at,
});

interface After {
  readonly after: string;
  readonly upTo: string;
  readonly limit: number;
  readonly categories: readonly string[] | null;
  readonly types: readonly string[] | null;
  readonly queue: string | null;
  readonly actor: string | null;
  readonly build: string | null;
  readonly bytes: number;
  readonly private: boolean;
}

const SEGMENTS_AFTER = statement<After>(
  'waybill_segments_after',
  'select * from waybill_segments_after(:after, :upTo, :limit, :categories, :types, :queue, :actor, :build, :bytes, :private)',
);

/** The largest position. */
export const NO_END = 2n ** 63n - 1n;

/** A part of the log, in order, as segments that hold `limit` events, or `bytes`, or more, if there are as many. */
export const segmentsQuery = (
  { after, upTo }: LogRange,
  limit: number,
  filter: EventFilter,
  { bytes = STEP_BYTES, needsPrivate = true }: { readonly bytes?: number; readonly needsPrivate?: boolean } = {},
): pg.QueryConfig => {
  const { categories = null, types = null, queue = null, actor = null, build = null } = filter;
  return SEGMENTS_AFTER.with({
    after: String(after),
    upTo: String(upTo),
    limit,
    categories,
    types,
    queue,
    actor,
    build,
    bytes,
    private: needsPrivate,
  });
};

/** The events of a stream within a part of the log, in order, up to the one with which they have `STEP_BYTES`. */
export const streamQuery = (
  stream: string,
  { after, upTo }: LogRange,
  limit: number,
  filter: EventFilter,
): pg.QueryConfig => ({
  name: 'waybill_stream_between',
  text: `select * from (
      select e.*, sum(octet_length(e.data)) over (order by e.position rows between unbounded preceding and 1 preceding) as before
      from waybill_history($1) e where e.position > $2 and e.position <= $7 and ($4::text[] is null or e.type = any ($4))
        and ($5::text is null or e.data::jsonb->>'queue' = $5) and ($6::text is null or e.meta::jsonb->>'actor' = $6)
    ) e where e.before is null or e.before < $8 order by e.position limit $3`,
  values: [
    streamKey(stream).id,
    after.toString(),
    limit,
    filter.types ?? null,
    filter.queue ?? null,
    filter.actor ?? null,
    upTo.toString(),
    STEP_BYTES,
  ],
});

/**
 * Searches the log by halves until it finds where the time begins, and then compares the times one by one: of two
 * neighbours, the later one may have the earlier time, because processes wait for their turn and clocks are set.
 */
const POSITION_BEFORE = `with recursive search (low, high) as (
    select 0::bigint, coalesce(max(position), 0) from segments
  union all
    select case when e.early then e.position else s.low end, case when e.early then s.high else (s.low + s.high) / 2 end
    from search s cross join lateral (select position, recorded_at < $1::timestamptz - interval '1 minute' as early
      from segments where position > (s.low + s.high) / 2 order by position limit 1) e
    where s.low < s.high
  )
  select coalesce(
    (select position - 1 from segments where position > (select max(low) from search) and recorded_at >= $1::timestamptz
       order by position limit 1),
    (select position + n - 1 from segments order by position desc limit 1), 0) as position`;

export const positionBeforeQuery = (time: string): pg.QueryConfig => ({
  name: 'waybill_position_before',
  text: POSITION_BEFORE,
  values: [time],
});
