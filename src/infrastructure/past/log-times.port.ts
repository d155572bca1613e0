/** A part of the log, up to and including the event at `end`, with the earliest and the latest time at which its events were recorded. */
export interface Stretch {
  readonly end: bigint;
  readonly earliest: number;
  readonly latest: number;
}

/** Where the events of a part of the log lie around a time. */
export interface PositionsAround {
  /** The position before the first event that was recorded after the time; null if there is none. */
  readonly before: bigint | null;
  /** That of the last event that was recorded at or before the time; null if there is none. */
  readonly last: bigint | null;
}

/**
 * The times at which the events of the log were recorded, in milliseconds. Later events may have earlier times, where a
 * clock was set back.
 */
export abstract class LogTimes {
  /** The next stretch of the log; null if fewer events follow than one has. */
  abstract stretchAfter(after: bigint): Promise<Stretch | null>;
  /** In the events after a position, up to another or to the head. */
  abstract around(time: number, after: bigint, upTo: bigint | null): Promise<PositionsAround>;
  /** When the last event at or before the position was recorded; null if there is none. `near` finds an event before it, for who reads forwards. */
  abstract timeAt(position: bigint, near: () => Promise<bigint>): Promise<number | null>;
  /** The position of an event, or that before the first transaction of which only a part is stored up to there. */
  outsideTransactions(position: bigint): Promise<bigint> {
    return Promise.resolve(position);
  }
  /** The ids of the transactions of which a part is stored up to the position of an event, and another after it. */
  transactionsAmid(_position: bigint): Promise<readonly string[]> {
    return Promise.resolve([]);
  }
}
