/**
 * Does something with all items together or, if that fails, with each half by itself, so that an item fails alone. Returns the results
 * of the parts, in order. `alone`: what to make of an item that fails by itself. Errors that concern all are thrown.
 */
export async function inHalves<Item, Result>(
  items: readonly Item[],
  act: (items: readonly Item[], isRepeated: boolean) => Promise<Result>,
  {
    alone,
    concernsAll,
  }: { alone: (item: Item, error: unknown) => Promise<Result>; concernsAll: (error: unknown) => boolean },
  isRepeated = false,
): Promise<readonly Result[]> {
  try {
    return [await act(items, isRepeated)];
  } catch (error) {
    if (concernsAll(error)) throw error;
    if (items.length <= 1) return [await alone(items[0]!, error)];
    const middle = items.length >> 1;
    const first = await inHalves(items.slice(0, middle), act, { alone, concernsAll }, true);
    return [...first, ...(await inHalves(items.slice(middle), act, { alone, concernsAll }, true))];
  }
}
