/** A segment of the log, with what proves that it is in the tree. */
export interface SegmentProof {
  /** Of its first event. Decimal. */
  readonly position: string;
  /** The line that stands for it in the tree. */
  readonly leaf: string;
  /** What the digest in the leaf is of. */
  readonly text: string;
  /** c2sp.org/tlog-proof of the leaf, with the seal. */
  readonly proof: string;
  /** The private halves of the events that the proof is about; empty unless they were asked for, or if there are none. */
  readonly private: readonly PrivateHalf[];
}

/** What a commitment in the text of a segment is of. */
export interface PrivateHalf {
  /** Which event of the segment, from 0. */
  readonly event: number;
  /** In Base64. */
  readonly salt: string;
  readonly half: string;
}

export interface Sealed {
  /** Leaves. */
  readonly size: number;
  readonly note: string;
}

export interface SegmentProofs {
  readonly segments: readonly SegmentProof[];
  /** Whether there are more than a proof takes. */
  readonly isCut: boolean;
}

/** Proofs of what is sealed. */
export abstract class LogProofs {
  /** Whether the segments' texts have private halves, so that whoever may not have these can have no proof. */
  abstract readonly isWhole: boolean;

  /**
   * Of the segments with the events at these positions, in their order, each once, up to 8 MiB of text. A seal must cover them. `stream`: the
   * id whose private halves are wanted; null if none are.
   */
  abstract of(positions: readonly bigint[], sealed: Sealed, stream: string | null): Promise<SegmentProofs>;

  /** How many leaves are before those with the events at these positions, in the order of the log. A seal must cover them. */
  abstract places(positions: readonly bigint[]): Promise<readonly number[]>;

  /** What proves that the log of `size` leaves begins with that of `old`, in Base64. */
  abstract consistency(old: number, size: number): Promise<readonly string[]>;
}
