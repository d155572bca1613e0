import type { Envelope, RecordedEvent, ShownEvent } from '../../application/kernel/event-store.port.js';
import type { LogSegment } from '../../application/kernel/log-segment.js';
import { eventCodec } from '../event-codec/event-codec.js';
import { segmentData, segmentTexts } from '../event-codec/segment-text.js';
import { shownEvent } from './shown-event.js';

/** A row of `waybill_segments_after`, its arrays as text. */
export interface SegmentRow {
  readonly position: string;
  readonly n: number;
  readonly category: string;
  readonly type: string;
  readonly version: number;
  readonly recorded_at: string;
  readonly meta: string;
  readonly shared: string | null;
  readonly data: string;
  readonly streams: string;
  readonly revisions: string | null;
  readonly ids: string;
  /** The name of the stream if its key is not the UUID in its name. */
  readonly name: string | null;
  /** Null if there are no private halves, or they were not asked for. */
  readonly private: string | null;
}

/** Everything about an event except its type and data. */
export type EventHead = Omit<RecordedEvent, 'event'>;

/** The heads of the segment's events. */
export function headsOf(row: SegmentRow): EventHead[] {
  const envelope = JSON.parse(row.meta) as Envelope;
  return placesOf(row).map((place) => ({ ...place, envelope }));
}

function placesOf(row: SegmentRow): Omit<EventHead, 'envelope'>[] {
  const ids = elements(row.ids);
  const revisions = row.revisions === null ? null : elements(row.revisions).map(Number);
  const first = BigInt(row.position);
  return streamsOf(row).map((stream, at) => ({
    position: first + BigInt(at),
    stream,
    revision: revisions?.[Math.min(at, revisions.length - 1)] ?? 0,
    id: ids[at]!,
    recordedAt: row.recorded_at,
  }));
}

const streamsOf = ({ streams, name, category }: SegmentRow): string[] =>
  elements(streams).map((stream) => name ?? `${category}-${stream}`);

/** The events one by one, because one that is damaged must not hide the others. */
function shownIn(row: SegmentRow): ShownEvent[] {
  const texts = segmentTexts(row.shared, row.data, row.private);
  return placesOf(row).map((place, at) => shownEvent(place, { ...row, data: texts[at] ?? '' }));
}

/** Splits the text of a Postgres array without nulls and quotes. */
const elements = (array: string): string[] => array.slice(1, -1).split(',');

/**
 * The data of the segment's events, parsed when the first follower asks for it. Returns unknown events as they were
 * stored, like `EventCodec.upcastAny`.
 */
class Contents {
  private parsed: readonly object[] | null = null;
  private recorded: readonly RecordedEvent[] | null = null;
  private damaged: readonly ShownEvent[] | null = null;

  /** About how many bytes the events have as JSON. */
  readonly bytes: number;

  constructor(public row: SegmentRow) {
    this.bytes = row.data.length + (row.private?.length ?? 0);
  }

  /** The text is dropped once it is parsed, because followers and streams may keep the segment for long. */
  get data(): readonly object[] {
    if (this.parsed) return this.parsed;
    const { type, version, shared, data, private: hidden } = this.row;
    this.parsed = eventCodec.upcastAll(type, version, segmentData(shared, data, hidden));
    this.row = { ...this.row, data: '', private: null };
    return this.parsed;
  }

  /** The events in full, made once for all streams that follow the log. */
  get events(): readonly RecordedEvent[] {
    return (this.recorded ??= this.made());
  }

  get shown(): readonly ShownEvent[] {
    if (this.damaged) return this.damaged;
    try {
      return this.events;
    } catch {
      return (this.damaged = shownIn(this.row));
    }
  }

  private made(): readonly RecordedEvent[] {
    const { row, data } = this;
    const version = eventCodec.versionRead(row.type, row.version);
    return headsOf(row).map((head, at) => ({ ...head, event: { type: row.type, version, data: data[at]! } }));
  }
}

/** A stored segment, or a part of one. Its events have consecutive positions. */
export class StoredSegment implements LogSegment {
  private constructor(
    private readonly contents: Contents,
    private readonly start: number,
    private readonly end: number,
    readonly isWhole: boolean,
  ) {}

  static of(row: SegmentRow, isWhole = true): StoredSegment {
    return new StoredSegment(new Contents(row), 0, row.n, isWhole);
  }

  get type(): string {
    return this.contents.row.type;
  }

  get version(): number {
    return eventCodec.versionRead(this.type, this.contents.row.version);
  }

  get recordedAt(): string {
    return this.contents.row.recorded_at;
  }

  get position(): bigint {
    return this.positionAt(this.size - 1);
  }

  get size(): number {
    return this.end - this.start;
  }

  get bytes(): number {
    const { bytes, row } = this.contents;
    return (bytes * this.size) / row.n;
  }

  get data(): readonly object[] {
    const { data } = this.contents;
    return this.size === data.length ? data : data.slice(this.start, this.end);
  }

  get streams(): readonly string[] {
    return streamsOf(this.contents.row).slice(this.start, this.end);
  }

  positionAt(index: number): bigint {
    return BigInt(this.contents.row.position) + BigInt(this.start + index);
  }

  events(): readonly RecordedEvent[] {
    return this.contents.events.slice(this.start, this.end);
  }

  shown(): readonly ShownEvent[] {
    return this.contents.shown.slice(this.start, this.end);
  }

  slice(start: number, end = this.size): LogSegment {
    return new StoredSegment(this.contents, this.start + start, Math.min(this.start + end, this.end), this.isWhole);
  }

  countUpTo(position: bigint): number {
    const count = Number(position - this.positionAt(0)) + 1;
    return Math.min(Math.max(count, 0), this.size);
  }
}
