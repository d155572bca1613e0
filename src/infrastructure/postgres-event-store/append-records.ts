import type { Row } from '../../projections/kernel/row.js';
import { RecordType } from '../database/record-parameters.js';
import type { TaskMove } from '../dispatch-index/changes/index-change.js';
import type { Guards } from '../dispatch-index/guards.js';
import { MOVE } from '../dispatch-index/task-records.js';

/**
 * The records that `waybill_append` takes. `item` is the number of the append's item, from 1. `first` and `last` are
 * the numbers of its events among all events of the call; their positions are the head plus these numbers.
 *
 * Records replaced 46 arrays. A whole life's processor time (`npm run bench:core`, batches of 500, 90 us) changed by
 * +0.4% and -1.6% in series of 19 and 20 runs, on a busy machine whose runs differ by more. Preparing the parameters
 * took Node 8.5 to 8.9 us of that instead of 7.7. In the database alone, storing an event took 1.57 us instead of 1.50,
 * and 1.63 with its kind and envelope in its record. As JSON, a smaller event took 3.50 us instead of 0.97.
 */

/**
 * Consecutive events with a kind and an envelope in common: a row of `segments`. One event if the stream is not a
 * task's.
 */
export interface SegmentRecord {
  readonly first: number;
  /** The number, from 1, in the list of kinds. `envelope` is one in the list of envelopes. */
  readonly kind: number;
  readonly envelope: number;
  /** The members that are equal in all data, as a JSON object; null if there are none. */
  readonly shared: string | null;
  /** The JSON of the public half of each event without those members, one per line. */
  readonly data: string;
  readonly items: readonly number[];
  readonly streams: readonly string[];
  /** Null if all are 0. */
  readonly revisions: readonly number[] | null;
  readonly ids: readonly string[];
  /** The JSON of the private halves, one per line; null if there are none. */
  readonly private: string | null;
  /** 16 bytes for each event; null if there are no private halves. */
  readonly salts: Buffer | null;
  readonly digest: Buffer;
}

export const SEGMENT = new RecordType<SegmentRecord>('waybill_segment', (to, segment) => {
  to.int4(segment.first);
  to.int4(segment.kind);
  to.int4(segment.envelope);
  to.text(segment.shared);
  to.text(segment.data);
  to.int4s(segment.items);
  to.uuids(segment.streams);
  to.int4s(segment.revisions);
  to.uuids(segment.ids);
  to.text(segment.private);
  to.bytea(segment.salts);
  to.bytea(segment.digest);
});

export interface EventKind {
  readonly category: string;
  readonly type: string;
  readonly version: number;
}

export const EVENT_KIND = new RecordType<EventKind>('waybill_event_kind', (to, kind) => {
  to.text(kind.category);
  to.text(kind.type);
  to.int4(kind.version);
});

/** An item whose stream's revision is checked before any item is applied. */
export interface Check {
  readonly item: number;
  readonly stream: string;
  /** The revision of the stream before the call. */
  readonly base: number;
  readonly first: number;
  readonly last: number;
}

export const CHECK = new RecordType<Check>('waybill_check', (to, check) => {
  to.int4(check.item);
  to.uuid(check.stream);
  to.int4(check.base);
  to.int4(check.first);
  to.int4(check.last);
});

/** The items that were decided at this revision of a queue. */
export interface QueueGuard {
  readonly name: string;
  readonly revision: number;
  readonly items: readonly number[];
}

export const QUEUE_GUARD = new RecordType<QueueGuard>('waybill_queue_guard', (to, guard) => {
  to.text(guard.name);
  to.int4(guard.revision);
  to.int4s(guard.items);
});

/** A change of the index other than a plain step of a task: a task's move, or the row of another aggregate. */
export interface Change {
  readonly item: number;
  readonly stream: string;
  readonly first: number;
  readonly last: number;
  /** The revision of the stream after it. */
  readonly revision: number;
  readonly move: TaskMove | null;
  /** The columns that it writes in the table of this model; null for a move. */
  readonly row: Row | null;
  readonly model: string | null;
  /** What must hold in the row's turn. A move has its own. */
  readonly guards: Guards | null;
}

export const CHANGE = new RecordType<Change>('waybill_change', (to, change) => {
  to.int4(change.item);
  to.uuid(change.stream);
  to.int4(change.first);
  to.int4(change.last);
  to.int4(change.revision);
  to.record(change.move, MOVE);
  to.jsonb(change.row);
  to.text(change.model);
  to.jsonb(change.guards);
});

export const APPEND_RECORDS: readonly { readonly create: string }[] = [SEGMENT, EVENT_KIND, CHECK, QUEUE_GUARD, CHANGE];
