/**
 * The numbers of Postgres' advisory locks. `.sql` files refer to them by name (`:LOG_LOCK`). A transaction that takes
 * several takes them in the order gate, claims, holders, log.
 */

/**
 * Held by every writer of the log and the dispatch index, so that writers cannot deadlock on row locks. The one
 * exception is a claim, which locks rows of `ready` before it takes this lock. Nobody waits for those rows: a command
 * on a task that is being claimed answers `conflict` and is decided again after the claim.
 */
export const LOG_LOCK = 7_283_001;

/** Held by the process that brings the schema up to date. */
export const MIGRATION_LOCK = 7_283_002;

/** One gate per queue, which its claims pass one at a time. Never wait for a gate while holding another lock. */
export const GATE_LOCK = 7_283_003;

/**
 * A claim's transaction takes it in shared mode before it touches a table of the index; a rebuild takes it exclusively.
 * Without it, a rebuild that holds the log lock would wait for a table that a claim uses, while the claim waits for the
 * log lock.
 */
export const CLAIMS_LOCK = 7_283_004;

/** One per holder of an API key whose running tasks are limited. Claims of the holder from any queue take turns. */
export const HOLDERS_LOCK = 7_283_005;
