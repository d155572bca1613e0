/**
 * Turns a statement about many items into a function of one. While one call is in flight, the next items gather, so no
 * timer is needed. A failed call fails all of its items.
 */
export function coalesced<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  most: number,
): (item: Item) => Promise<Result> {
  const waiting: Pending<Item, Result>[] = [];
  let flying = false;

  async function fly(): Promise<void> {
    if (flying) return;
    flying = true;
    // Callers of the same turn of the event loop share a call.
    await Promise.resolve();
    for (let batch = waiting.splice(0, most); batch.length > 0; batch = waiting.splice(0, most)) {
      await carry(batch);
    }
    flying = false;
  }

  async function carry(batch: readonly Pending<Item, Result>[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => resolve(results[index]!));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      void fly();
    });
}

interface Pending<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}
