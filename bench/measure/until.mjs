import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 10;
const PATIENCE_MS = 120_000;

/** Resolves as soon as `look` returns true. Gives up with an error that names `what`. */
export async function until(what, look, lookMs = LOOK_MS) {
  const end = performance.now() + PATIENCE_MS;
  while (!(await look())) {
    if (performance.now() > end)
      throw new Error(`Expected ${what} within ${PATIENCE_MS / 1000} s, but it did not come`);
    await pause(lookMs);
  }
}
