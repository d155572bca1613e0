import { within } from '../kernel/within.js';

/** A part of a stream, which has come up to `reached`. */
interface Page<T> {
  readonly events: readonly T[];
  readonly reached: bigint;
  /** Yielded even if it has no events. */
  readonly caughtUp?: boolean;
}

/**
 * Yields the pages that have events, and after each `ms` without any an empty one with the position reached,
 * independently of how often the source yields and what it filters out. It asks for the next page only after the last
 * one was taken.
 */
export async function* withHeartbeat<T>(
  pages: AsyncIterable<Page<T>>,
  after: bigint,
  ms: number,
): AsyncGenerator<Page<T>> {
  const source = pages[Symbol.asyncIterator]();
  try {
    let next: Promise<IteratorResult<Page<T>, unknown>> | null = null;
    let reached = after;
    let beat = performance.now() + ms;
    for (;;) {
      next ??= source.next();
      const result = await within(next, beat - performance.now());
      if (result) next = null;
      if (result?.done) return;
      const page = result?.value ?? { events: [], reached };
      reached = page.reached;
      if (page.events.length === 0 && !page.caughtUp && performance.now() < beat) continue;
      yield page;
      beat = performance.now() + ms;
    }
  } finally {
    await source.return?.();
  }
}
