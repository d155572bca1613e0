import type { CauseSum, Piece, WaitCause } from './intervals.js';

export interface CauseShare extends CauseSum {
  /** Of the whole, from 0 to 1. */
  readonly share: number;
  /** How many tasks it kept. */
  readonly tasks: number;
}

/** Sums of the waits of many tasks. */
export class WaitTotals {
  private readonly causes = new Map<WaitCause, { ms: number; tasks: number }>();
  private waited = 0;
  private unreadable = 0;

  /** How many tasks waited. */
  get tasks(): number {
    return this.waited;
  }

  /** The wait of one more task, which may be empty. */
  add(pieces: readonly Piece[]): void {
    if (pieces.length > 0) this.waited++;
    for (const { because, from, until } of pieces) this.sumOf(because).ms += until - from;
    for (const because of new Set(pieces.map((piece) => piece.because))) this.sumOf(because).tasks++;
  }

  addUnreadable(): void {
    this.unreadable++;
  }

  shown() {
    const { tasks, unreadable } = this;
    const waitedMs = [...this.causes.values()].reduce((sum, { ms }) => sum + ms, 0);
    const sums = [...this.causes]
      .map(([because, sum]): CauseShare => ({ because, ...sum, share: sum.ms / waitedMs }))
      .sort((one, other) => other.ms - one.ms);
    return { tasks, waitedMs, sums, unreadable };
  }

  private sumOf(because: WaitCause): { ms: number; tasks: number } {
    const sum = this.causes.get(because) ?? { ms: 0, tasks: 0 };
    this.causes.set(because, sum);
    return sum;
  }
}
