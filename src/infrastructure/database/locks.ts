/**
 * Postgres' advisory locks, as the arguments of its functions. `.sql` files refer to them by name (`:LOG_LOCK`). A
 * transaction that takes several takes them in the order gate, claims, holders, tallies, log. All end with their transaction: a
 * session's lock could outlive its process in a pooler, which keeps sessions.
 *
 * Each lock has two numbers. An application's locks of one number are others, and hardly one of two has our first
 * number, which is ours by the letters 'way' in it. The second one stands for the schema, so that two Waybills in one
 * database do not share locks.
 */
const WAY = 0x77_61_79_00;

/** The table of the log: whoever works on the same tables takes the same lock, whatever the search path is. */
const HERE = `'segments'::regclass::int`;

/**
 * Held by every writer of the log and the dispatch index, so that writers cannot deadlock on row locks. The one
 * exception is a claim, which locks rows of `ready` before it takes this lock. Nobody waits for those rows: a command
 * on a task that is being claimed answers `conflict` and is decided again after the claim.
 */
export const LOG_LOCK = `${WAY + 1}, ${HERE}`;

/** Held by the process that brings the schema up to date. Before the first one did, there is no table to name. */
export const MIGRATION_LOCK = `${WAY + 2}, coalesce(
  (select relnamespace::int from pg_class where oid = to_regclass('schema_versions')),
  to_regnamespace(quote_ident(current_schema()))::int, 0)`;

/**
 * One gate per queue, which its claims pass one at a time; in SQL, `p_queue` is the queue. Never wait for a gate while
 * holding another lock. Only an erasure takes several, by the names of their queues and before any other lock.
 */
export const GATE_LOCK = `${WAY + 3}, hashtext(p_queue) # ${HERE}`;

/**
 * A claim's transaction takes it in shared mode before it touches a table of the index; a rebuild takes it exclusively.
 * Without it, a rebuild that holds the log lock would wait for a table that a claim uses, while the claim waits for the
 * log lock.
 */
export const CLAIMS_LOCK = `${WAY + 4}, ${HERE}`;

/**
 * One per holder of an API key whose running tasks are limited; in SQL, `h` is the holder. Claims of the holder from any
 * queue take turns.
 */
export const HOLDERS_LOCK = `${WAY + 5}, hashtext(h) # ${HERE}`;

/** Held by the process that gives a definition which is checked against others (`Turns`). Taken before all other locks. */
export const DEFINITIONS_LOCK = `${WAY + 6}, ${HERE}`;

/** Held by a transaction that others were faster at again and again (`Turns`). Taken after the lock of definitions. */
export const CONTENDED_LOCK = `${WAY + 7}, ${HERE}`;

/** Held by whoever mends what the rows of batches say of their tasks. Taken before the log's lock, and by nobody who holds that. */
export const TALLIES_LOCK = `${WAY + 8}, ${HERE}`;
