import type { Recorded } from './event-log.port.js';

/** A moment as callers name it: a position of the log, a time, or a number of milliseconds ago. */
export type AsOf = { readonly position: bigint } | { readonly at: Date } | { readonly ago: number };

/** A moment of the log. The state as of it is the fold of all events at or before its position. */
export interface Moment {
  readonly position: bigint;
  /** What the clock said: the time that was asked for, or that of the last event at or before the position. */
  readonly at: string;
  /**
   * The last event that was recorded at or before the time, if that comes after the position because the clock was set
   * back: the caller may mean the state after it. Null if no time was asked for, or it means one position.
   */
  readonly alternative: bigint | null;
  /** Whether no append under way can get a time at or before this one any more. */
  readonly settled: boolean;
}

/** The log has no such moment: it is in the future, past the head, or before the first event. */
export class NoSuchMoment extends Error {
  override readonly name = 'NoSuchMoment';
}

/** The time is before the first event. */
export class BeforeTheLog extends NoSuchMoment {}

/** What the answer needs of the log was not read up to where it is needed. */
export class HistoryNotReady extends Error {
  override readonly name = 'HistoryNotReady';

  constructor(
    /** How far the log was read, and how far it goes. */
    readonly reached: bigint,
    readonly head: bigint,
    what = 'the times of the log',
  ) {
    super(`Expected to have read ${what} up to position ${head}, but reached only ${reached} so far`);
  }
}

/** What was asked for did not exist at the moment. */
export class NotThereThen extends Error {
  override readonly name = 'NotThereThen';

  /** `beginning`: the first event of what was asked for, since which it has existed; null if it never did. */
  constructor(readonly beginning: Pick<Recorded, 'position' | 'recordedAt'> | null) {
    super('Expected it to exist at the moment, but it did not');
  }
}

/** More has changed since the moment than one answer folds. */
export class TooMuchToFold extends Error {
  override readonly name = 'TooMuchToFold';

  constructor(
    readonly most: number,
    readonly what = 'tasks',
    /** Of which of them, and what to do instead. */
    { that = 'that changed since the moment', instead = '' } = {},
  ) {
    super(`Expected to fold at most ${most} ${what} ${that}, but there are more${instead && `: ${instead}`}`);
  }
}

/** Events, after one position up to another, the first `most` of them that are found in time. */
export interface EventsAsked {
  /** Only those that name the queue. */
  readonly queue?: string;
  readonly categories?: readonly string[];
  readonly types?: readonly string[];
  /** Only those that this actor caused. */
  readonly actor?: string;
  /** Only claims of workers of this build. */
  readonly build?: string;
  /** Only those that were decided by this version of their queue's policy. */
  readonly policyVersion?: number;
  readonly after: bigint;
  readonly upTo: bigint;
  readonly most: number;
  /** Without a time, until the end. */
  readonly withinMs?: number;
}

export interface SomeEvents {
  readonly events: readonly Recorded[];
  /** Whether no more follow: false if there are, or it is not known. */
  readonly isWhole: boolean;
  /** The position up to which the log was looked through. The next look begins there. */
  readonly reached: bigint;
}

/** The log up to a moment. */
export abstract class Past {
  /** Throws `NoSuchMoment`, which is `BeforeTheLog` for a time before the first event, or `HistoryNotReady`. */
  abstract momentOf(asked: AsOf): Promise<Moment>;

  /** The head of the log. */
  abstract now(): Promise<Moment>;

  /** Whether the events after the position can be looked for. A store may accept only positions that it has assigned. */
  abstract canBeginAt(position: bigint): Promise<boolean>;

  /** Those that can be read, in commit order. */
  abstract eventsOf(asked: EventsAsked): Promise<SomeEvents>;

  /**
   * The events of each stream up to a position, in revision order, in the order of the names, up to the first one that
   * cannot be read. An unknown stream gives an empty list.
   */
  abstract historiesAt(streams: readonly string[], position: bigint): Promise<readonly (readonly Recorded[])[]>;

  /** The first event of the stream; null if it has none. */
  abstract beginningOf(stream: string): Promise<Recorded | null>;
}
