import type { RecordedEvent } from '../../application/kernel/event-store.port.js';

/** The position that a follower has reached. */
export interface Place {
  after: bigint;
}

/**
 * The newest part of the log, without gaps. Events leave it when every follower has passed them, or when it grows too
 * long.
 */
export class LogWindow {
  readonly places = new Set<Place>();
  private range: { start: bigint; end: bigint } | null = null;
  private events: RecordedEvent[] = [];

  constructor(private readonly most: number) {}

  /** From now on, every event after `position` will be pushed. */
  begin(position: bigint): void {
    this.range ??= { start: position, end: position };
  }

  /** Whether the window lacks events after this position. */
  isBehind(after: bigint): boolean {
    return this.range === null || after < this.range.start;
  }

  /**
   * The next events after this position; none if there are none yet. A follower that fell behind catches up in large
   * steps.
   */
  after(after: bigint, limit: number): readonly RecordedEvent[] {
    const at = this.indexAfter(after);
    return this.events.slice(at, at + limit);
  }

  push(events: readonly RecordedEvent[]): void {
    this.events.push(...events);
    this.range!.end = events.at(-1)!.position;
    if (this.events.length > this.most) this.drop(this.events.length - this.most);
  }

  /** Full only while the fastest follower still has events to take. Slower ones read the log themselves. */
  get isFull(): boolean {
    const somebodyWaits = [...this.places].some(({ after }) => after >= this.range!.end);
    return this.events.length >= this.most && !somebodyWaits;
  }

  /** Drops the events that every follower has taken. */
  release(): void {
    const slowest = [...this.places].reduce(
      (least, { after }) => (after < least ? after : least),
      this.range?.end ?? 0n,
    );
    const passed = this.indexAfter(slowest);
    if (passed > 0) this.drop(passed);
  }

  private drop(count: number): void {
    this.range!.start = this.events[count - 1]!.position;
    this.events = this.events.slice(count);
  }

  /** A binary search, because positions grow. */
  private indexAfter(after: bigint): number {
    let low = 0;
    let high = this.events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.events[middle]!.position > after) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
