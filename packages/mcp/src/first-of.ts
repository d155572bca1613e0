/** Lists that fetch page by page end here. */
export async function firstOf<Item>(all: AsyncIterable<Item>, limit: number): Promise<readonly Item[]> {
  const items: Item[] = [];
  for await (const item of all) if (items.push(item) >= limit) break;
  return items;
}
