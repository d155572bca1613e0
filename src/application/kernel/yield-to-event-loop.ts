/** Fewer items than these are decided and written in a millisecond or two. */
const LARGE = 100;

/**
 * Between two steps of a large batch: lets other work of this process go first. A batch of 500 that went through its
 * steps in one turn of the event loop kept it for 30 to 60 ms, and everybody in line behind four of them for their sum.
 */
export async function yieldToEventLoop(items: number): Promise<void> {
  if (items > LARGE) await new Promise(setImmediate);
}
