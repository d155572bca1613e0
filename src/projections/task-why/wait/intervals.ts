import type { Reason } from '../why.js';

/** Why a task waited. `retry` is `due` after a failed or lost attempt. */
export type WaitCause =
  | Reason['because']
  | 'retry'
  /** Nothing kept it, but workers had other tasks of its queue. */
  | 'behind'
  /** Not looked at: more happened in its queue than one answer reads. */
  | 'unknown';

/** A part of a wait, from one time up to another, in milliseconds. */
export interface Piece {
  readonly from: number;
  readonly until: number;
  readonly because: WaitCause;
  /** What `why` would have said; null for `behind` and `unknown`. */
  readonly reason: Reason | null;
  /** What else kept it. */
  readonly also: readonly WaitCause[];
  /** Of `behind`: how many other tasks of the queue were claimed. */
  readonly claims: number;
}

export interface Interval extends Piece {
  /** The attempt that the task waited for, from 1. */
  readonly attempt: number;
}

/** How long a cause kept it. */
export interface CauseSum {
  readonly because: WaitCause;
  readonly ms: number;
}

export const causeOf = (reason: Reason): WaitCause =>
  reason.because === 'due' && reason.failures !== undefined ? 'retry' : reason.because;

/** The piece in which these were the reasons. The first is the one that counts: the task's own come before those of its queue. */
export function pieceOf(from: number, until: number, reasons: readonly Reason[]): Piece {
  const [reason = null, ...others] = reasons;
  const because = reason === null ? 'unknown' : causeOf(reason);
  return { from, until, because, reason, also: [...new Set(others.map(causeOf))], claims: 0 };
}

/** Neighbours for the same reason are one. Nothing is lost: the pieces follow on each other, and so do the intervals. */
export function joined<P extends Piece>(pieces: readonly P[]): readonly P[] {
  const found: P[] = [];
  for (const piece of pieces) {
    const last = found.at(-1);
    if (last && last.until === piece.from && isSame(last, piece))
      found[found.length - 1] = { ...last, until: piece.until, claims: last.claims + piece.claims };
    else found.push(piece);
  }
  return found;
}

/** What runs and what a task retries may change while the reason stays the same. */
function isSame(one: Piece, other: Piece): boolean {
  if (one.because !== other.because || one.also.join() !== other.also.join()) return false;
  const told = ({ reason }: Piece): string =>
    JSON.stringify(reason, (name, value: unknown) => (CHANGES.has(name) ? undefined : value));
  return told(one) === told(other);
}

const CHANGES: ReadonlySet<string> = new Set(['running', 'count', 'blockers', 'value', 'measuredAt']);

/** The longest first. Together they are the wait. */
export function sumsOf(pieces: readonly Piece[]): readonly CauseSum[] {
  const sums = new Map<WaitCause, number>();
  for (const { because, from, until } of pieces) sums.set(because, (sums.get(because) ?? 0) + until - from);
  return [...sums].map(([because, ms]) => ({ because, ms })).sort((one, other) => other.ms - one.ms);
}

/** The parts of the pieces within a range. */
export const clipped = <P extends Piece>(pieces: readonly P[], from: number, until: number): readonly P[] =>
  pieces
    .map((piece) => ({ ...piece, from: Math.max(piece.from, from), until: Math.min(piece.until, until) }))
    .filter((piece) => piece.until > piece.from);
