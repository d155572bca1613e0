/** The first `most`, and nothing read behind them. */
export async function firstOf<T>(all: AsyncIterable<T>, most: number): Promise<T[]> {
  const first: T[] = [];
  for await (const one of all) if (first.push(one) === most) break;
  return first;
}
