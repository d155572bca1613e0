/** Runs a limited number of functions at once. The others wait in the order in which they came. */
export class Semaphore {
  private readonly line: (() => void)[] = [];

  constructor(private free: number) {}

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.line.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
