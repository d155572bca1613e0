/** The first `most` items. Reads nothing beyond them. */
export async function firstOf<T>(all: AsyncIterable<T>, most: number): Promise<T[]> {
  const first: T[] = [];
  for await (const one of all) if (first.push(one) === most) break;
  return first;
}
