import type { EventView } from '@waybill/client';
import type { SortedLines } from './sorted-lines.js';

/**
 * How a file says what the log says. From the events in commit order to the lines of the file, without line breaks at their
 * ends. It holds no more than a line, and what it must know of attempts that run; what the file has in another order goes
 * through sorted lines.
 */
export type EventFormat = (events: AsyncIterable<EventView>, options: FormatOptions) => AsyncIterable<string>;

export interface FormatOptions {
  /** Whether the events have their private halves. */
  readonly isPrivate: boolean;
  /** Opens a place for lines that are read back in order. */
  readonly sorted: () => SortedLines;
}
