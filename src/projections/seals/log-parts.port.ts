import type { PrivateHalf, Sealed } from './log-proofs.port.js';

/** A segment of the log. */
export interface SegmentPart {
  readonly type: 'Segment';
  /** Of its last event. Decimal. */
  readonly position: string;
  /** The line that stands for it in the tree. */
  readonly leaf: string;
  /** What the digest in the leaf is of. */
  readonly text: string;
  /** Empty unless they were asked for, or if there are none. */
  readonly private: readonly PrivateHalf[];
}

/** Leaves whose segments were not asked for. */
export interface LeftOutPart {
  readonly type: 'LeftOut';
  /** Of the last event of the last one. Decimal. */
  readonly position: string;
  readonly leaves: number;
  /** The roots of the largest complete subtrees that they consist of, from left to right, in Base64. */
  readonly hashes: readonly string[];
}

/** What an export of the log consists of: together, its parts are all leaves of a sealed tree. */
export type LogPart = SegmentPart | LeftOutPart;

/** Between two leaves: so many are before it, the last of which has the position. */
export interface LeafPlace {
  readonly index: number;
  readonly position: bigint;
}

/** Which segments are wanted: those with events after one position, up to another; of one queue if it is not null. */
export interface WantedParts {
  readonly sealed: Sealed & { readonly position: bigint };
  readonly after: bigint;
  readonly upTo: bigint;
  readonly queue: string | null;
  readonly isPrivate: boolean;
}

export interface PartPage {
  readonly parts: readonly LogPart[];
  readonly reached: LeafPlace;
}

/** The sealed log in parts, to take along. */
export abstract class LogParts {
  /** Whether the segments' texts have private halves, so that whoever may not have these can have none. */
  abstract readonly isWhole: boolean;

  /** Behind the leaves that end up to the position. */
  abstract placeAfter(position: bigint, wanted: WantedParts): Promise<LeafPlace>;

  /** The next parts from a place on, with some megabytes of text, and where they end. None at the end of the sealed log only. */
  abstract from(place: LeafPlace, wanted: WantedParts): Promise<PartPage>;
}
