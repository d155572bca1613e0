/**
 * The results of `work` for each item, in their order. It begins with up to `width` items before the first of them is done, so that what one waits for
 * passes while another one is at work. Rejects with the first error in this order.
 */
export async function* ahead<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const begun: Promise<R>[] = [];
  for (let next = 0; next < items.length || begun.length > 0;) {
    while (begun.length < width && next < items.length) begun.push(begin(work(items[next++]!)));
    yield await begun.shift()!;
  }
}

/** Nobody may wait for it any more once another one has failed. */
function begin<R>(result: Promise<R>): Promise<R> {
  result.catch(() => undefined);
  return result;
}
