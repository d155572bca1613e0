/** Lets turns of the event loop pass until the condition holds. If it never does, the test ends by its time-out. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
