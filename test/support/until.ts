const PATIENCE_MS = 120_000;
/** Looks come ever later, because a hundred tests that wait would otherwise be what the processor does. */
const [FIRST_LOOK_MS, LATER, LAST_LOOK_MS] = [20, 1.3, 200];

/** The first result of `look` that is not null. Calls it repeatedly, and gives up with an error that names `what`. */
export async function until<T>(what: string, look: () => Promise<T | null>, patienceMs = PATIENCE_MS): Promise<T> {
  const end = performance.now() + patienceMs;
  for (let pauseMs = FIRST_LOOK_MS; ; pauseMs = Math.min(pauseMs * LATER, LAST_LOOK_MS)) {
    const seen = await look();
    if (seen !== null) return seen;
    if (performance.now() > end) throw new Error(`Expected ${what} within ${patienceMs} ms, but it did not come`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
