import type { TaskProof } from './get-task-proof.query.js';
import type { SegmentProof } from './log-proofs.port.js';

/** Who gave a command, and when. */
export interface Given {
  readonly by: string;
  readonly at: string;
}

/** What was erased, and where the log says so. */
export interface ErasedItem {
  readonly kind: 'task' | 'batch';
  readonly id: string;
  /** Of the event that records it. Decimal. */
  readonly position: string;
}

/** That the log grew from one seal to another, and nothing in it changed. */
export interface SealedSpan {
  /** The last seal before the order, as a signed note; null if there was none. It may be under a key that was retired since. */
  readonly before: string | null;
  /** The first one that covers the end of the erasure. */
  readonly after: string;
  /** In Base64: the subtrees that prove that the log of the first one is the beginning of that of the second. */
  readonly consistency: readonly string[];
  /** The last seals under keys that were retired between the two: each names the key of the next one. */
  readonly lastSeals: readonly string[];
}

/** Where contents may still be that an erasure does not reach. */
export interface CopyPlace {
  readonly where: string;
  /** When the last one is gone; null if nobody knows. */
  readonly until: string | null;
  readonly says: string;
}

/** What the service says, and nothing proves. */
export interface StatedOfErasure {
  readonly at: string;
  /** How far the notary has read the texts of the log again in a pass that began after the erasure; null if none has. */
  readonly audited: { readonly since: string; readonly position: string } | null;
  /** What to run to see for oneself. */
  readonly toRun: readonly string[];
  readonly copies: readonly CopyPlace[];
}

/** What became of an erasure, as its end in the log has it. */
export interface ErasureOutcome {
  readonly erased: number;
  readonly batches: number;
  /** Absent in what earlier builds reported: the other two count these, too. */
  readonly alreadyErased?: number;
  readonly halves: number;
  readonly outbox: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** That the contents of a subject were erased, to take away. All but `stated` is proven. */
export interface ErasureCertificate {
  readonly format: 'waybill-erasure-certificate';
  readonly version: 1;
  readonly erasure: string;
  readonly ordered: Given & { readonly reason: string | null };
  /** Null if nobody had to approve it. */
  readonly approved: Given | null;
  readonly result: ErasureOutcome;
  readonly seals: SealedSpan;
  /** Of the order, with its private halves: they name nobody whose contents were erased. */
  readonly order: TaskProof;
  /** In the order of their ids. */
  readonly erased: readonly ErasedItem[];
  /** Those whose events say so. */
  readonly segments: readonly SegmentProof[];
  /** What to go on after; null at the end, or if the certificate is whole. */
  readonly next: string | null;
  readonly stated: StatedOfErasure;
}
