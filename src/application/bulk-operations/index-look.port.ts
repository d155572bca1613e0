import type { AppendItem, Refusal } from '../kernel/event-store.port.js';

/** Of the tasks that wait for others, how many an abort of these would change. */
export interface Waiters {
  /** They would be aborted, too, directly or because of one another. */
  readonly aborted: number;
  /** They wait for nothing else, and ignore the abort. */
  readonly unblocked: number;
}

export const NO_WAITERS: Waiters = { aborted: 0, unblocked: 0 };

/** Looks at what appends would find in the index. Takes nothing, so an answer holds for the moment. */
export abstract class IndexLook {
  /**
   * Why each of these appends would be refused; null if it would be stored. Each is looked at alone. `created`: the streams of
   * new tasks that would be there before.
   */
  abstract refusals(items: readonly AppendItem[], created?: readonly string[]): Promise<readonly (Refusal | null)[]>;

  /** At most `MOST_WAITERS` of each kind are counted. */
  abstract waitersOf(tasks: readonly string[]): Promise<Waiters>;
}

export const MOST_WAITERS = 100_000;
