import { Injectable } from '@nestjs/common';
import { eventsWith } from '../../domain/events.js';
import { taskStream } from '../../domain/task/task.stream.js';
import { EventReads } from '../kernel/event-store.port.js';
import { type Cursor, LiveLog } from '../kernel/live-log.port.js';
import type { LogSegment } from '../kernel/log-segment.js';
import { Signal } from '../kernel/signal.js';

/** How long to wait, and for whom. */
export interface Patience {
  readonly waitMs: number;
  /** Ends the wait when it aborts. */
  readonly signal: AbortSignal;
  /** What wakes: the end of the task if absent, or anything that happens to it. */
  readonly wakes?: 'end' | 'change';
  /** Something besides the log that wakes, too: calls `wake`, until what it returns is called. */
  readonly also?: (wake: () => void) => () => void;
}

interface Awaited {
  readonly end: Signal;
  readonly change: Signal;
  waiters: number;
}

interface Following {
  /** Resolves when every later end is told. */
  readonly begun: Promise<void>;
  readonly stop: AbortController;
}

const ENDINGS = eventsWith('ends-task');

/** An end after a silence is told at once. Under load, 50 times a second: ends that come together cost one round. */
const PACE = { restAfter: () => 20, needsPrivate: false };

/**
 * Tells who waits for a task when it may have ended, or when something happened to it. Follows the newest events once for all who wait in
 * this process, and not at all while nobody does: a further waiter costs an entry in a map, and no statement until it is woken.
 */
@Injectable()
export class TaskEnds {
  /** By stream. */
  private readonly awaited = new Map<string, Awaited>();
  private following: Following | null = null;

  constructor(
    private readonly store: EventReads,
    private readonly live: LiveLog,
  ) {}

  /**
   * What `look` finds once that `isEnough`, or found last when the wait is over: looks at once, and again whenever the task may have ended,
   * or as `wakes` says. Misses nothing that is stored during a look.
   */
  async look<T>(task: string, look: () => Promise<T>, isEnough: (found: T) => boolean, patience: Patience): Promise<T> {
    if (patience.waitMs <= 0) return look();
    if (this.following === null) {
      // Most tasks that are asked for have ended, which need not be followed.
      const found = await look();
      if (isEnough(found)) return found;
    }
    const stream = taskStream(task);
    const one = this.enter(stream);
    const woken = one[patience.wakes ?? 'end'];
    const stop = patience.also?.(() => woken.emit());
    try {
      return await this.lookAgain(woken, look, isEnough, patience);
    } finally {
      stop?.();
      this.leave(stream, one);
    }
  }

  private async lookAgain<T>(
    woken: Signal,
    look: () => Promise<T>,
    isEnough: (found: T) => boolean,
    { waitMs, signal }: Patience,
  ): Promise<T> {
    for (const end = performance.now() + waitMs; ;) {
      const { begun, stop } = this.follow();
      await begun;
      const { count } = woken;
      const found = await look();
      const leftMs = end - performance.now();
      if (isEnough(found) || leftMs <= 0) return found;
      await woken.past(count, signal, leftMs);
      if (signal.aborted) return found;
      stop.signal.throwIfAborted();
    }
  }

  private enter(stream: string): Awaited {
    const one = this.awaited.get(stream) ?? { end: new Signal(), change: new Signal(), waiters: 0 };
    one.waiters += 1;
    this.awaited.set(stream, one);
    return one;
  }

  private leave(stream: string, one: Awaited): void {
    one.waiters -= 1;
    if (one.waiters === 0) this.awaited.delete(stream);
    if (this.awaited.size > 0) return;
    this.following?.stop.abort();
    this.following = null;
  }

  private follow(): Following {
    if (this.following?.stop.signal.aborted === false) return this.following;
    const stop = new AbortController();
    const begun = this.begin(stop);
    return (this.following = { begun, stop });
  }

  private async begin(stop: AbortController): Promise<void> {
    try {
      const at = await this.store.head();
      void this.tell(this.live.open(at, PACE), at, stop);
    } catch (error) {
      stop.abort(error);
      throw error;
    }
  }

  /** Until it is stopped, or the log cannot be read, which all who wait are told. */
  private async tell(cursor: Cursor, from: bigint, stop: AbortController): Promise<void> {
    try {
      for (let at = from; !stop.signal.aborted;) {
        const upTo = await cursor.lackingUpTo(at, stop.signal);
        const segments = upTo === null ? await cursor.next(at, stop.signal) : [];
        if (upTo === null) this.tellOf(segments);
        else this.tellAll();
        at = upTo ?? segments.at(-1)?.position ?? at;
      }
    } catch (error) {
      stop.abort(error);
      this.tellAll();
    } finally {
      await cursor.close();
    }
  }

  private tellOf(segments: readonly LogSegment[]): void {
    for (const { type, streams } of segments)
      for (const stream of streams) {
        const one = this.awaited.get(stream);
        one?.change.emit();
        if (ENDINGS.has(type)) one?.end.emit();
      }
  }

  private tellAll(): void {
    for (const { end, change } of this.awaited.values()) {
      end.emit();
      change.emit();
    }
  }
}
