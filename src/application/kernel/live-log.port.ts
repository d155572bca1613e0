import type { LogSegment } from './log-segment.js';

/** How a reader takes events. */
export interface Pace {
  /** How many milliseconds it rests after so many events. Those that arrive meanwhile cost one round together. */
  restAfter(events: number): number;
  /** False if it reads nothing of the private halves of events. It may get them nevertheless. */
  readonly needsPrivate?: boolean;
}

/** The place of one reader in the live log. */
export interface Cursor {
  /** The next events after `after`. Waits for them; returns an empty list only if `signal` aborts. */
  next(after: bigint, signal: AbortSignal): Promise<readonly LogSegment[]>;
  /**
   * The position up to which a reader that has reached `after` has to read the log itself, because these events are not
   * at hand; null if there are none. Waits for the first look at the log; null if `signal` aborts.
   */
  lackingUpTo(after: bigint, signal: AbortSignal): Promise<bigint | null>;
  close(): Promise<void>;
}

/** The newest events of the log, which are read once for everybody in this process. */
export abstract class LiveLog {
  /** `after` has the same meaning as in `Cursor.next`. */
  abstract open(after: bigint, pace: Pace): Cursor;
}
