/** Runs at most `size` pieces of work at the same time. The others wait in line. */
export function gate(size: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = [];
  let free = size;

  return async (work) => {
    if (free === 0) await new Promise<void>((enter) => line.push(enter));
    else free--;
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else free++;
    }
  };
}
