import { within } from '../kernel/within.js';

type Page<T> = readonly T[];

/**
 * Yields the pages that are not empty, and an empty one after each `ms` without any, independently of how often the
 * source yields and what it filters out. It asks for the next page only after the last one was taken.
 */
export async function* withHeartbeat<T>(pages: AsyncIterable<Page<T>>, ms: number): AsyncGenerator<Page<T>> {
  const source = pages[Symbol.asyncIterator]();
  try {
    let next: Promise<IteratorResult<Page<T>, unknown>> | null = null;
    let beat = performance.now() + ms;
    for (;;) {
      next ??= source.next();
      const result = await within(next, beat - performance.now());
      if (result) next = null;
      if (result?.done) return;
      if (result?.value.length === 0) continue;
      yield result?.value ?? [];
      beat = performance.now() + ms;
    }
  } finally {
    await source.return?.();
  }
}
