/** Lets turns of the event loop pass until it is so; a test that waits for what never comes ends by its time limit. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}
