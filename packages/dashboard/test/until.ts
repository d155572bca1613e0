/**
 * Waits until the condition holds, with pauses: turns of the event loop alone (`setImmediate`) bring no message of a `BroadcastChannel`. If it never does, the test
 * ends by its time-out.
 */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5));
}
