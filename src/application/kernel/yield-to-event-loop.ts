/** Fewer items than this are decided and written within a millisecond or two. */
const LARGE = 100;

/**
 * Lets other work of the process run between two steps of a large batch. A batch of 500 that ran all its steps in one
 * turn of the event loop blocked it for 30 to 60 ms, and whoever queued behind four of them waited for the sum.
 */
export async function yieldToEventLoop(items: number): Promise<void> {
  if (items > LARGE) await new Promise(setImmediate);
}
