import { roughBytes, STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import type { RecordedEvent, ShownEvent } from './recorded-event.js';

/**
 * Events of one type and version that follow one another in the log and were recorded at the same time. Followers of the
 * log take segments, because what their events have in common then costs once. A segment is never empty.
 */
export interface LogSegment {
  readonly type: string;
  readonly version: number;
  readonly recordedAt: string;
  /** The position of the last event. */
  readonly position: bigint;
  readonly size: number;
  /** About how many bytes the events have as JSON. */
  readonly bytes: number;
  /** Whether the events have their private halves. */
  readonly isWhole: boolean;
  /** The data of each event. */
  readonly data: readonly object[];
  /** The stream of each event. */
  readonly streams: readonly string[];
  positionAt(index: number): bigint;
  /** The events in full, which costs more than their data. */
  events(): readonly RecordedEvent[];
  /** As `events`, which throws if one of them is damaged. */
  shown(): readonly ShownEvent[];
  /** Some of the events: from `start` up to, but not including, `end`. */
  slice(start: number, end?: number): LogSegment;
  /** The number of events up to and including `position`. */
  countUpTo(position: bigint): number;
}

/** A segment of events that are in memory. */
export class RecordedSegment implements LogSegment {
  readonly isWhole = true;

  constructor(
    private readonly recorded: readonly RecordedEvent[],
    /** About how many bytes each event has; measured when needed if absent. */
    private bytesEach?: number,
  ) {}

  get bytes(): number {
    this.bytesEach ??= this.recorded.reduce((bytes, { event }) => bytes + roughBytes(event.data), 0) / this.size;
    return this.bytesEach * this.size;
  }

  get type(): string {
    return this.recorded[0]!.event.type;
  }

  get version(): number {
    return this.recorded[0]!.event.version;
  }

  get recordedAt(): string {
    return this.recorded[0]!.recordedAt;
  }

  get position(): bigint {
    return this.positionAt(this.size - 1);
  }

  get size(): number {
    return this.recorded.length;
  }

  get data(): readonly object[] {
    return this.recorded.map(({ event }) => event.data);
  }

  get streams(): readonly string[] {
    return this.recorded.map(({ stream }) => stream);
  }

  positionAt(index: number): bigint {
    return this.recorded[index]!.position;
  }

  events(): readonly RecordedEvent[] {
    return this.recorded;
  }

  shown(): readonly ShownEvent[] {
    return this.recorded;
  }

  slice(start: number, end?: number): LogSegment {
    return new RecordedSegment(this.recorded.slice(start, end), this.bytesEach);
  }

  countUpTo(position: bigint): number {
    const next = this.recorded.findIndex((event) => event.position > position);
    return next < 0 ? this.size : next;
  }
}

/** The events, which are in log order, as segments of at least one event. */
export function segmentsOf(events: readonly RecordedEvent[], bytesEach?: number): LogSegment[] {
  const segments: LogSegment[] = [];
  let start = 0;
  for (let at = 1; at <= events.length; at++) {
    if (at < events.length && isAlike(events[start]!, events[at]!)) continue;
    segments.push(new RecordedSegment(events.slice(start, at), bytesEach));
    start = at;
  }
  return segments;
}

const isAlike = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.event.type === other.event.type &&
  one.event.version === other.event.version &&
  one.recordedAt === other.recordedAt;

/** The number of events. */
export const sizeOf = (segments: readonly LogSegment[]): number =>
  segments.reduce((size, segment) => size + segment.size, 0);

export const bytesOf = (segments: readonly LogSegment[]): number =>
  segments.reduce((bytes, segment) => bytes + segment.bytes, 0);

/** Whether a page of these segments may have ended for their bytes. A character has three bytes at most. */
export const mayLackBytes = (segments: readonly LogSegment[]): boolean => 3 * bytesOf(segments) >= STEP_BYTES;

export const eventsOf = (segments: readonly LogSegment[]): RecordedEvent[] =>
  segments.flatMap((segment) => segment.events());

/** The positions of all events of the segment, also of damaged ones. */
export const positionsOf = (segment: LogSegment): readonly bigint[] =>
  Array.from({ length: segment.size }, (_, index) => segment.positionAt(index));

/** The events after a position. */
export function segmentsAfter(segments: readonly LogSegment[], position: bigint): readonly LogSegment[] {
  const open = segments.findIndex((segment) => segment.position > position);
  if (open < 0) return [];
  const [first, ...rest] = segments.slice(open) as [LogSegment, ...LogSegment[]];
  const passed = first.countUpTo(position);
  return passed === 0 ? segments.slice(open) : [first.slice(passed), ...rest];
}

/** Its events up to a position. */
export const partUpTo = (segment: LogSegment, position: bigint): LogSegment =>
  segment.position > position ? segment.slice(0, segment.countUpTo(position)) : segment;

/** The first events, `limit` at most. */
export function firstOf(segments: readonly LogSegment[], limit: number): readonly LogSegment[] {
  let left = limit;
  for (const [at, segment] of segments.entries()) {
    if (segment.size >= left) return [...segments.slice(0, at), segment.size > left ? segment.slice(0, left) : segment];
    left -= segment.size;
  }
  return segments;
}
