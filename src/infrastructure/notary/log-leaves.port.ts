import type { Hash } from '../../domain/merkle/hashing.js';
import type { SaidOfLog } from './said-of-log.js';

/** What the tree of the log has in one place: the line that stands for a stored segment (docs/reference/log-format.md). */
export interface LogLeaf {
  /** That of the last event of the segment. */
  readonly position: bigint;
  readonly text: string;
}

/** A leaf for whoever verifies the log: made anew from what is stored. */
export interface CheckedLeaf {
  /** The position of the first event of the segment; null where positions have gaps. */
  readonly first: bigint | null;
  /** That of the last one. */
  readonly position: bigint;
  /** When it was recorded, in milliseconds since 1970; NaN if it has no time that a build writes. */
  readonly recordedMs: number;
  readonly hash: Hash;
  readonly notes: LeafNotes;
}

/** What there is to say of few leaves. */
export interface LeafNotes {
  /** Whether the segment has another text than its digest is of. */
  readonly isAltered?: boolean;
  /** The private halves that are erased. */
  readonly missing?: readonly { readonly position: bigint; readonly stream: string }[];
  /** The streams of which its events say that their private halves before are erased. */
  readonly erases?: readonly string[];
  /** What its events say of the logs that come one after another. */
  readonly says?: readonly SaidOfLog[];
}

export interface MisnamedStream {
  /** Of its first event. */
  readonly position: bigint;
  /** Null: the name lacks. */
  readonly name: string | null;
}

/** A segment, and its leaf. */
export interface LeafSource {
  readonly leaf: LogLeaf;
  /** The position of its first event. */
  readonly first: bigint;
  /** What the digest in the leaf is of. */
  readonly text: string;
  /** The id of the stream of each event. */
  readonly streams: readonly string[];
  /** What each event has a commitment to; null where that is nothing, or erased. */
  readonly halves: readonly ({ readonly salt: Buffer; readonly line: string } | null)[];
}

/** The leaves of the log, in the order of their positions. */
export abstract class LogLeaves {
  /** The next ones after the position of a leaf, or 0n: at most `limit`, and fewer only if the log ends there. */
  abstract after(position: bigint, limit: number): Promise<readonly LogLeaf[]>;

  /** Those that follow, made anew, which costs the time of reading all text: at most `limit`, often fewer, none only if the log ends there. */
  abstract checked(position: bigint, limit: number): Promise<readonly CheckedLeaf[]>;

  /** The first positions, if any, below that of the first leaf: nobody who reads on from the beginning comes to them, but a row of the index may name them. */
  outside(): Promise<readonly bigint[]> {
    return Promise.resolve([]);
  }

  /** The streams whose names are kept beside the log, and are not those of which their ids are made: the feed of events and rebuilds would take them for others. */
  misnamed(): Promise<readonly MisnamedStream[]> {
    return Promise.resolve([]);
  }

  /** The segments of the next leaves after the position of a leaf, or 0n: so many as have some megabytes, none only if the log ends there. */
  abstract sourcesAfter(position: bigint): Promise<readonly LeafSource[]>;

  /** The segments with the events at these positions, in the order of the log, each once. Throws if there is no such event. */
  abstract sources(positions: readonly bigint[]): Promise<readonly LeafSource[]>;
}
