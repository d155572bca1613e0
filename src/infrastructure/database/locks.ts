/**
 * Numbers of Postgres' advisory locks. `.sql` files name them (`:LOG_LOCK`). Where a transaction takes several, it takes them in the
 * order gate, claims, log.
 */

/**
 * Held by whoever writes to the log or to the dispatch index, so that row locks are never waited for in a circle. The one exception is
 * the claim, which locks rows of `ready` before it comes here; nobody waits for those: a task that a claim has in its hands
 * answers `conflict`, and is decided again when the claim is through.
 */
export const LOG_LOCK = 7_283_001;

/** Held by the process that brings the schema up to date. */
export const MIGRATION_LOCK = 7_283_002;

/** One gate per queue whose claims are counted. Never wait for a gate while holding another lock. */
export const GATE_LOCK = 7_283_003;

/**
 * A claim's transaction has it, together with others, before it looks at a table of the index; a rebuild takes it alone. Otherwise the
 * rebuild would wait, with the log, for a table that a claim has in use which waits for the log.
 */
export const CLAIMS_LOCK = 7_283_004;
