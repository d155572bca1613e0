import type { LogRange } from '../../../application/kernel/event-store.port.js';
import type { Stretch } from './stretches.js';

/** A record of the log. Its id tells whether the log still has the same one at its position. */
export interface LogRecord {
  readonly position: bigint;
  readonly id: string;
}

/** How the log ended at a time. */
export interface LogMark {
  /** The last record, whoever wrote it. */
  readonly last: LogRecord;
  /** When the store wrote it. */
  readonly ms: number;
  /** Our newest event; null if there was none. */
  readonly newest: LogRecord | null;
}

/** What is known of the log from earlier looks, which spares reads the events of others. */
export interface LogMarks {
  /** Stretches within the range, the first ones in the log's order, `most` of them if given. They do not overlap. */
  stretches(range: LogRange, most?: number): Promise<readonly Stretch[]>;
  add(stretches: readonly Stretch[]): Promise<void>;
  /** The newest mark of all, or of those at this time or earlier. */
  newest(ms?: number): Promise<LogMark | null>;
  /** The oldest mark at this time or later. */
  oldestSince(ms: number): Promise<LogMark | null>;
  /** Forgets what ends at this position or later, because the log has another record there. */
  forget(position: bigint): Promise<void>;
}

/** For a log without a database. */
export const NO_MARKS: LogMarks = {
  stretches: () => Promise.resolve([]),
  add: () => Promise.resolve(),
  newest: () => Promise.resolve(null),
  oldestSince: () => Promise.resolve(null),
  forget: () => Promise.resolve(),
};
