import { STEP_BYTES } from '../../domain/kernel/byte-budget.js';
import { bytesOf, firstOf, type LogSegment, segmentsAfter, sizeOf } from '../../application/kernel/log-segment.js';
import type { Pace } from '../../application/kernel/live-log.port.js';

/** A window is rarely longer than a few pages. */
const MOST_BYTES = 4 * STEP_BYTES;

/** The position that a follower has reached. */
export interface FollowerPosition {
  after: bigint;
  readonly pace: Pace;
  /** Until when the follower rests, by the clock of `performance`. */
  restsUntil: number;
}

/**
 * The newest part of the log, without gaps. Events leave it when every follower has passed them, or when it grows too
 * long.
 */
export class LogWindow {
  readonly places = new Set<FollowerPosition>();
  private range: { start: bigint; end: bigint } | null = null;
  private segments: LogSegment[] = [];
  private size = 0;
  private bytes = 0;

  constructor(private readonly most: number) {}

  /** From now on, every event after `position` will be pushed. */
  begin(position: bigint): void {
    this.range ??= { start: position, end: position };
  }

  /** The window has every event after this position; null before `begin`. */
  get start(): bigint | null {
    return this.range?.start ?? null;
  }

  /** Whether the window lacks events after this position. Before `begin`, nobody knows. */
  isBehind(after: bigint): boolean {
    return this.range !== null && after < this.range.start;
  }

  /**
   * The next events after this position; none if there are none yet. A follower that fell behind catches up in large
   * steps.
   */
  after(after: bigint, limit: number): readonly LogSegment[] {
    return firstOf(segmentsAfter(this.segments, after), limit);
  }

  push(segments: readonly LogSegment[]): void {
    this.segments.push(...segments);
    this.size += sizeOf(segments);
    this.bytes += bytesOf(segments);
    this.range!.end = segments.at(-1)!.position;
    let [passed, size, bytes] = [0, this.size, this.bytes];
    for (; (size > this.most || bytes > MOST_BYTES) && passed < this.segments.length - 1; passed++) {
      size -= this.segments[passed]!.size;
      bytes -= this.segments[passed]!.bytes;
    }
    if (passed > 0) this.drop(passed);
  }

  /** Full only while the fastest follower still has events to take. Slower ones read the log themselves. */
  get isFull(): boolean {
    const somebodyWaits = [...this.places].some(({ after }) => after >= this.range!.end);
    return (this.size >= this.most || this.bytes >= MOST_BYTES) && !somebodyWaits;
  }

  /** Drops the events that every follower has taken. */
  release(): void {
    const slowest = [...this.places].reduce(
      (least, { after }) => (after < least ? after : least),
      this.range?.end ?? 0n,
    );
    const open = this.segments.findIndex(({ position }) => position > slowest);
    const passed = open < 0 ? this.segments.length : open;
    if (passed > 0) this.drop(passed);
  }

  private drop(count: number): void {
    const dropped = this.segments.splice(0, count);
    this.size -= sizeOf(dropped);
    this.bytes -= bytesOf(dropped);
    this.range!.start = dropped.at(-1)!.position;
  }
}
