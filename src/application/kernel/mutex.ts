/** Lets one at a time go on, in the order in which they came. */
export class Mutex {
  private last: Promise<void> = Promise.resolve();

  /** Resolves, once those before have let go, with the function that lets the next one go on. */
  async acquire(): Promise<() => void> {
    const before = this.last;
    let release: () => void = () => undefined;
    this.last = new Promise((resolve) => (release = resolve));
    await before;
    return release;
  }

  /** The result of `work`, which begins once those before have ended, however they ended. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.acquire();
    try {
      return await work();
    } finally {
      release();
    }
  }
}
