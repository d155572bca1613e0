import type { StateCounts, StandingState } from '../../../projections/kernel/states-then.port.js';

/** Where the events are. */
export abstract class LogScale {
  /** In this database, with the rows, or in a store that the rows follow. */
  abstract readonly place: 'here' | 'elsewhere';
  /** About how far the position of an event is from that of the next. */
  abstract readonly positionsPerEvent: number;
}

export const HERE: LogScale = { place: 'here', positionsPerEvent: 1 };
/** There positions are bytes. */
export const ELSEWHERE: LogScale = { place: 'elsewhere', positionsPerEvent: 1_024 };

export const eventsBetween = ({ positionsPerEvent }: LogScale, after: bigint, upTo: bigint): number =>
  Number(upTo - after) / positionsPerEvent;

export const positionsOf = ({ positionsPerEvent }: LogScale, events: number): bigint =>
  BigInt(Math.ceil(events * positionsPerEvent));

/** Where a fold can begin. */
export interface Base {
  /** What was open in which state is that of this position. */
  readonly position: bigint;
  /** And the counts are of this one. Neither need come first. */
  readonly countedAt: bigint;
  /** About what it takes to store it. */
  readonly bytes: number;
}

/** Before the first event. */
export const BEGINNING: Base = { position: 0n, countedAt: 0n, bytes: 0 };

/** The tasks of a queue that were in a state. */
export interface TaskSet {
  readonly queue: string;
  readonly state: StandingState;
  /** Their ids. */
  readonly ids: readonly string[];
}

/** What was open at a position, all of it. */
export interface Snapshot {
  readonly position: bigint;
  readonly counts: ReadonlyMap<string, StateCounts>;
  readonly sets: readonly TaskSet[];
}

/** The position up to which everything after a base must be read. */
export const startOf = ({ position, countedAt }: Base): bigint => (position < countedAt ? position : countedAt);

/** One with so many events behind it is a good place to begin. */
const EVENTS_BETWEEN = 65_536;
export const BYTES_PER_EVENT = 16;

/** After how many events the next one is made, so that none takes more than 16 bytes for each of them. */
export const eventsUntilNext = ({ bytes }: Base): number => Math.max(EVENTS_BETWEEN, eventsWorth({ bytes }));

/** How many events pay for it. */
export const eventsWorth = ({ bytes }: Pick<Base, 'bytes'>): number => Math.ceil(bytes / BYTES_PER_EVENT);
