/**
 * A queue as the works see it: the least that all of them have, each in the way that its own manual calls the fastest.
 *
 * @typedef {object} System
 * @property {() => Promise<void>} empty An empty queue for the next work; what an earlier one left is out of the way.
 * @property {(count: number) => Promise<void>} enqueueMany Hands in tasks in bulk; they are durable when it resolves.
 * @property {(payload: object) => Promise<unknown>} enqueue Hands in one task; it is durable when it resolves.
 * @property {readonly number[]} batches The batch sizes of `drain` to try; one where it has no such choice.
 * @property {(count: number, batch: number, watch: import('../measure/stopwatch.mjs').Stopwatch) => Promise<number>} drain
 *   Works off the `count` tasks that wait, which do nothing, until none is left or the watch is over; answers how many are recorded
 *   as done. It may start the watch anew, after its own start.
 * @property {(onTask: (payload: object) => void) => Promise<() => Promise<void>>} work Hands every task to `onTask` as it starts; answers how to stop.
 * @property {() => Promise<void>} [claim] Takes one task and leaves it unfinished.
 * @property {(count: number, batch: number) => Promise<void>} [lifecycle] Enqueues, claims and settles in batches, by several callers at once.
 * @property {() => Promise<void>} [caughtUp] Resolves when everything that follows its log is at the last event, so that it does nothing any more.
 * @property {readonly number[]} [pids] Other processes of Node that do its work.
 * @property {() => number} [statements] How many statements it has sent so far.
 * @property {() => Promise<void>} stop
 */

export {};
