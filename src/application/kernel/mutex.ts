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
}
