import { Logger } from '@nestjs/common';
import type { EventStore } from '../../application/kernel/event-store.port.js';
import { type Cursor, LiveLog, type Pace } from '../../application/kernel/live-log.port.js';
import { type LogSegment, sizeOf } from '../../application/kernel/log-segment.js';
import { Backoff, pause } from './backoff.js';
import { LogWindow, type FollowerPosition } from './log-window.js';
import { Signal } from '../../application/kernel/signal.js';
import { sayUnlessAway } from '../../application/kernel/outage.js';

export interface FeedOptions {
  readonly batchSize: number;
  /** The most events kept for followers that are behind the newest one. */
  readonly window: number;
}

const USUAL: FeedOptions = { batchSize: 2_000, window: 8_000 };

/**
 * One reader of the log for all followers and streams of the process, so that each segment is read and parsed once. It
 * reads while there is a cursor, at the pace of the fastest one, and continues after the store was unavailable.
 */
export class LogFeed extends LiveLog {
  private readonly options: FeedOptions;
  private reading: Reading | null = null;

  constructor(
    private readonly store: EventStore,
    options: Partial<FeedOptions> = {},
  ) {
    super();
    this.options = { ...USUAL, ...options };
  }

  /**
   * Events that arrive while the follower rests come together. It does not rest while there is more than a
   * batch, and the reader rests as long as the most impatient follower.
   */
  open(after: bigint, pace: Pace): Cursor {
    const reading = (this.reading ??= new Reading(this.store, this.options));
    const place = { after, pace, restsUntil: 0 };
    reading.window.places.add(place);
    return {
      next: (position, signal) => reading.next(place, position, signal),
      lackingUpTo: (position, signal) => reading.lackingUpTo(place, position, signal),
      close: () => this.close(reading, place),
    };
  }

  private async close(reading: Reading, place: FollowerPosition): Promise<void> {
    reading.leave(place);
    if (reading.window.places.size > 0) return;
    if (this.reading === reading) this.reading = null;
    await reading.stop();
  }
}

/** Reads from the time the first cursor is opened until the last one is closed. */
class Reading {
  readonly window: LogWindow;
  /** There are more events. */
  private readonly changed = new Signal();
  /** A follower has taken events, or left. */
  private readonly taken = new Signal();
  private readonly abort = new AbortController();
  private readonly backoff = new Backoff();
  private readonly logger = new Logger(LogFeed.name);
  private readonly done: Promise<void>;
  private end: bigint | null = null;

  constructor(
    private readonly store: EventStore,
    private readonly options: FeedOptions,
  ) {
    this.window = new LogWindow(options.window);
    this.done = this.run(this.abort.signal);
  }

  async next(place: FollowerPosition, after: bigint, signal: AbortSignal): Promise<readonly LogSegment[]> {
    place.after = after;
    this.window.release();
    this.taken.emit();
    await rest(place.restsUntil - performance.now(), signal);
    while (!signal.aborted) {
      const { count } = this.changed;
      const segments = await this.look(place, after);
      place.restsUntil = performance.now() + this.restOf([place], segments);
      if (segments.length > 0) return segments;
      await this.changed.past(count, signal);
    }
    return [];
  }

  async lackingUpTo(place: FollowerPosition, after: bigint, signal: AbortSignal): Promise<bigint | null> {
    place.after = after;
    while (!signal.aborted) {
      const { count } = this.changed;
      const { start } = this.window;
      if (start !== null) return after < start ? start : null;
      await this.changed.past(count, signal);
    }
    return null;
  }

  leave(place: FollowerPosition): void {
    this.window.places.delete(place);
    this.taken.emit();
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.done;
  }

  private look({ pace }: FollowerPosition, after: bigint): readonly LogSegment[] | Promise<readonly LogSegment[]> {
    const { batchSize } = this.options;
    const needsPrivate = pace.needsPrivate !== false;
    const read = () => this.store.readSegments(after, batchSize, needsPrivate);
    if (this.window.isBehind(after)) return read();
    const segments = this.window.after(after, batchSize);
    // The reader left the private halves out while no follower needed them.
    return needsPrivate && segments.some(({ isWhole }) => !isWhole) ? read() : segments;
  }

  /** Whether a follower reads private halves. */
  private needsPrivate(): boolean {
    return [...this.window.places].some(({ pace }) => pace.needsPrivate !== false);
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.read(signal);
      } catch (error) {
        const line = `Expected to read the log after ${this.end ?? 'its head'}, but ${(error as Error).message}`;
        sayUnlessAway(error, line, (said) => this.logger.warn(said));
        await this.backoff.wait(signal);
      }
    }
  }

  private async read(signal: AbortSignal): Promise<void> {
    this.end ??= await this.store.head();
    this.window.begin(this.end);
    this.changed.emit();
    const { batchSize } = this.options;
    const needsPrivate = () => this.needsPrivate();
    for await (const segments of this.store.follow(this.end, { signal, batchSize, needsPrivate })) {
      this.backoff.succeeded();
      if (segments.length > 0) await this.keep(segments, signal);
      await rest(this.restOf(this.window.places, segments), signal);
    }
  }

  /** After these events: none if there may be more. */
  private restOf(places: Iterable<FollowerPosition>, segments: readonly LogSegment[]): number {
    const events = sizeOf(segments);
    if (events === 0 || events >= this.options.batchSize) return 0;
    return Math.min(...[...places].map(({ pace }) => pace.restAfter(events)));
  }

  private async keep(segments: readonly LogSegment[], signal: AbortSignal): Promise<void> {
    this.end = segments.at(-1)!.position;
    this.window.push(segments);
    this.changed.emit();
    while (this.window.isFull && !signal.aborted) await this.taken.past(this.taken.count, signal);
  }
}

async function rest(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await pause(ms, signal);
}
