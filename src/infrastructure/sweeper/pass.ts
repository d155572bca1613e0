/** Where a look through rows of the index is, from the first to the last and again. */
export interface Pass {
  /** How long to rest between looks. */
  readonly restMs: number;
  /** Looks at some rows, and mends those that are wrong. True if there may be more. Rejects if a store is unavailable; what concerns one row keeps no other. */
  next(): Promise<boolean>;
}
