import { within } from '../kernel/within.js';

type Page<T> = readonly T[];

/**
 * The pages that are not empty, and an empty one after each `ms` without any: a sign of life that depends neither on how often
 * the source gives one, nor on what it leaves out in between. The next page is asked for when the last one was taken.
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
