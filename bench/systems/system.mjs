/**
 * A queue with the operations that all systems share, each used in the way that its own manual calls the fastest.
 *
 * @typedef {object} System
 * @property {() => Promise<void>} empty Provides an empty queue for the next work, without what an earlier one left.
 * @property {(count: number) => Promise<void>} enqueueMany Enqueues tasks in bulk. They are durable when it resolves.
 * @property {(payload: object) => Promise<unknown>} enqueue Enqueues one task, which is durable when it resolves.
 * @property {readonly number[]} batches The batch sizes of `drain` to try; one if the system has no such choice.
 * @property {(count: number, batch: number, watch: import('../measure/stopwatch.mjs').Stopwatch) => Promise<number>} drain
 *   Completes the `count` waiting tasks, which do nothing, until none is left or the watch is over. Returns how many are recorded
 *   as done. It may restart the watch after its own start-up.
 * @property {(onTask: (payload: object) => void) => Promise<() => Promise<void>>} work Passes every task to `onTask` as it starts. Returns a function that stops.
 * @property {() => Promise<void>} [claim] Claims one task and leaves it unfinished.
 * @property {(count: number, batch: number) => Promise<void>} [lifecycle] Enqueues, claims and settles in batches, by several callers at once.
 * @property {() => Promise<void>} [caughtUp] Resolves when every follower of its log is at the last event and so does nothing any more.
 * @property {readonly number[]} [pids] Other Node processes that do its work.
 * @property {() => number} [statements] The number of statements that it has sent so far.
 * @property {() => Promise<void>} stop
 */

export {};
