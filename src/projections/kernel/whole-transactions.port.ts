/**
 * Transactions that are stored in parts. Rows have nothing of one until they have all of it, so they lack its first parts for a
 * moment, although they have followed the log beyond them.
 */
export abstract class WholeTransactions {
  /** Resolves once the rows have all that the log has up to a position; with false if they do not get there in time. */
  abstract applied(position: bigint, timeoutMs: number): Promise<boolean>;
}

/** Of a store that stores each of them at once. */
export const ALWAYS_WHOLE: WholeTransactions = { applied: () => Promise.resolve(true) };
