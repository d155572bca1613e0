import type { AppendItem, Envelope } from '../../application/kernel/event-store.port.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import { RecordArray } from '../database/record-parameters.js';
import type { EventCodec } from '../event-codec/event-codec.js';
import { newSalts, segmentDigest } from '../event-codec/segment-digest.js';
import { EVENT_KIND, SEGMENT, type SegmentRecord } from './append-records.js';

/** The usual bytes of a record of each kind. */
const SIZE = { segment: 500, kind: 150 };
const FEW = 8;

/** The parameters of `waybill_append` that contain the events. */
export interface SegmentParameters {
  readonly segments: Buffer;
  readonly kinds: Buffer;
  readonly envelopes: readonly string[];
}

const MAX_EVENTS = 64;
/** Of events of some KiB, a segment has fewer, because it is read as a whole. */
const MOST_TEXT = 128 * 1024;

/** The events of one kind and envelope that were gathered so far. */
interface OpenSegment {
  readonly first: number;
  readonly kind: number;
  readonly envelope: number;
  readonly category: string;
  readonly type: string;
  readonly version: number;
  readonly data: object[];
  readonly items: number[];
  readonly streams: string[];
  readonly revisions: number[];
  readonly ids: string[];
}

/** The rows of the log. What many of them have in common is passed once, and referred to by its number from 1. */
export class Segments {
  private readonly segments: OpenSegment[] = [];
  private readonly kinds = new RecordArray(EVENT_KIND, FEW, SIZE.kind);
  private readonly kindOf = new Map<string, number>();
  private readonly envelopes = new Map<Envelope, number>();
  private readonly meta: string[] = [];
  count = 0;

  constructor(private readonly codec: EventCodec) {}

  add(item: number, stream: string, { events, expected }: AppendItem, category: string): void {
    let revision = expected;
    for (const { id, event, envelope } of events) {
      const segment = this.segmentFor(event, category, this.envelope(envelope));
      segment.data.push(event.data);
      segment.items.push(item);
      segment.streams.push(stream);
      segment.revisions.push(++revision);
      segment.ids.push(id);
      this.count++;
    }
  }

  parameters(): SegmentParameters {
    const records = new RecordArray(SEGMENT, this.segments.length, SIZE.segment);
    for (const segment of this.segments) this.encode(segment, records);
    return { segments: records.value(), kinds: this.kinds.value(), envelopes: this.meta };
  }

  private encode(segment: OpenSegment, records: RecordArray<SegmentRecord>): void {
    const { first, kind, envelope, category, type, version, data, items, streams, ids } = segment;
    const text = this.codec.encodeAll(type, version, data);
    const length = text.lines.length + (text.private?.length ?? 0);
    if (length > MOST_TEXT && data.length > 1) {
      const parts = Math.ceil(length / MOST_TEXT);
      for (const part of partsOf(segment, Math.ceil(data.length / parts))) this.encode(part, records);
      return;
    }
    const revisions = storedRevisions(segment.revisions);
    const salts = text.private === null ? null : newSalts(data.length);
    const meta = this.meta[envelope - 1]!;
    const digest = segmentDigest({ category, type, version, meta, ...text, streams, revisions, ids, salts });
    const { shared, lines, private: hidden } = text;
    records.add({
      first,
      kind,
      envelope,
      shared,
      data: lines,
      items,
      streams,
      revisions,
      ids,
      private: hidden,
      salts,
      digest,
    });
  }

  /** Tasks are found through their rows. Other streams are found through an index over segments of one event. */
  private segmentFor({ type, version }: DomainEvent, category: string, envelope: number): OpenSegment {
    const kind = this.kind(type, version, category);
    const open = this.segments[this.segments.length - 1];
    if (
      category === TASK_CATEGORY &&
      open?.kind === kind &&
      open.envelope === envelope &&
      open.data.length < MAX_EVENTS
    ) {
      return open;
    }
    const lists = { data: [], items: [], streams: [], revisions: [], ids: [] };
    const segment = { first: this.count + 1, kind, envelope, category, type, version, ...lists };
    this.segments.push(segment);
    return segment;
  }

  private kind(type: string, version: number, category: string): number {
    const open = this.segments[this.segments.length - 1];
    // Most events are of the kind of the one before, and making the name of a kind took longer than writing its number.
    if (open?.type === type && open.category === category) return open.kind;
    const name = `${category} ${type}`;
    const known = this.kindOf.get(name);
    if (known !== undefined) return known;
    this.kinds.add({ category, type, version });
    this.kindOf.set(name, this.kinds.length);
    return this.kinds.length;
  }

  private envelope(envelope: Envelope): number {
    const known = this.envelopes.get(envelope);
    if (known !== undefined) return known;
    const number = this.meta.push(JSON.stringify(envelope));
    this.envelopes.set(envelope, number);
    return number;
  }
}

function* partsOf(segment: OpenSegment, size: number): Generator<OpenSegment> {
  const { first, data, items, streams, revisions, ids } = segment;
  for (let from = 0; from < data.length; from += size) {
    const to = from + size;
    const lists = { data: data.slice(from, to), items: items.slice(from, to), streams: streams.slice(from, to) };
    yield { ...segment, ...lists, first: first + from, revisions: revisions.slice(from, to), ids: ids.slice(from, to) };
  }
}

/** As `segments` has them: null if all are 0, one for all if they are alike, and otherwise all of them. */
function storedRevisions(revisions: readonly number[]): readonly number[] | null {
  const [first] = revisions as [number];
  if (revisions.some((revision) => revision !== first)) return revisions;
  return first === 0 ? null : [first];
}
