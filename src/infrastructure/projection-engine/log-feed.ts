import { Logger } from '@nestjs/common';
import type { EventStore } from '../../application/kernel/event-store.port.js';
import { type LogSegment, sizeOf } from '../../application/kernel/log-segment.js';
import { Backoff, pause } from './backoff.js';
import { LogWindow, type Place } from './log-window.js';
import { Signal } from '../notify/signal.js';

export interface FeedOptions {
  readonly batchSize: number;
  /** The most events kept for followers that are behind the newest one. */
  readonly window: number;
  /**
   * The rest between two reads of the log. Events that arrive meanwhile cost one round together. There is no rest while
   * more than a batch is left.
   */
  readonly restMs: number;
}

const USUAL: FeedOptions = { batchSize: 2_000, window: 8_000, restMs: 0 };

/** The place of one follower in the feed. */
export interface Cursor {
  /** The next events after `after`. Waits for them; returns an empty list only if `signal` aborts. */
  next(after: bigint, signal: AbortSignal): Promise<readonly LogSegment[]>;
  close(): Promise<void>;
}

/**
 * One reader of the log for all followers of the process, so that each segment is read and parsed once. It reads while
 * there is a cursor, at the pace of the fastest one, and continues after the store was unavailable.
 */
export class LogFeed {
  private readonly options: FeedOptions;
  private reading: Reading | null = null;

  constructor(
    private readonly store: EventStore,
    options: Partial<FeedOptions> = {},
  ) {
    this.options = { ...USUAL, ...options };
  }

  /** `after` has the same meaning as in `Cursor.next`. */
  open(after: bigint): Cursor {
    const reading = (this.reading ??= new Reading(this.store, this.options));
    const place = { after };
    reading.window.places.add(place);
    return {
      next: (position, signal) => reading.next(place, position, signal),
      close: () => this.close(reading, place),
    };
  }

  private async close(reading: Reading, place: Place): Promise<void> {
    reading.leave(place);
    if (reading.window.places.size > 0) return;
    if (this.reading === reading) this.reading = null;
    await reading.stop();
  }
}

/** Reads from the time the first cursor is opened until the last one is closed. */
class Reading {
  readonly window: LogWindow;
  private readonly changed = new Signal();
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

  async next(place: Place, after: bigint, signal: AbortSignal): Promise<readonly LogSegment[]> {
    place.after = after;
    this.window.release();
    this.changed.emit();
    while (!signal.aborted) {
      const { count } = this.changed;
      const segments = await this.look(after);
      if (segments.length > 0) return segments;
      await this.changed.past(count, signal);
    }
    return [];
  }

  leave(place: Place): void {
    this.window.places.delete(place);
    this.changed.emit();
  }

  async stop(): Promise<void> {
    this.abort.abort();
    await this.done;
  }

  private look(after: bigint): readonly LogSegment[] | Promise<readonly LogSegment[]> {
    const { batchSize } = this.options;
    return this.window.isBehind(after)
      ? this.store.readSegments(after, batchSize)
      : this.window.after(after, batchSize);
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.read(signal);
      } catch (error) {
        this.logger.warn(`Expected to read the log after ${this.end ?? 'its head'}, but ${(error as Error).message}`);
        await this.backoff.wait(signal);
      }
    }
  }

  private async read(signal: AbortSignal): Promise<void> {
    this.end ??= await this.store.head();
    this.window.begin(this.end);
    this.changed.emit();
    const { batchSize, restMs } = this.options;
    for await (const segments of this.store.follow(this.end, { signal, batchSize })) {
      this.backoff.succeeded();
      if (segments.length > 0) await this.keep(segments, signal);
      if (segments.length > 0 && sizeOf(segments) < batchSize) await pause(restMs, signal);
    }
  }

  private async keep(segments: readonly LogSegment[], signal: AbortSignal): Promise<void> {
    this.end = segments.at(-1)!.position;
    this.window.push(segments);
    this.changed.emit();
    while (this.window.isFull && !signal.aborted) await this.changed.past(this.changed.count, signal);
  }
}
