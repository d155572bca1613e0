/**
 * Lets one command at a time use a stream within this process; others wait in order. This saves conflicts but guarantees
 * nothing: the store does.
 */
export class StreamLocks {
  private readonly tails = new Map<string, Promise<void>>();

  /**
   * Resolves with the function that releases the streams, once all of them are locked. Locks all at once, so that no
   * two callers wait for each other.
   */
  async acquire(streams: readonly string[]): Promise<() => void> {
    let unlock!: () => void;
    const held = new Promise<void>((resolve) => (unlock = resolve));
    const before: Promise<void>[] = [];
    for (const stream of streams) {
      const tail = this.tails.get(stream);
      if (tail) before.push(tail);
      this.tails.set(stream, held);
    }
    if (before.length > 0) await Promise.all(before);
    return () => this.release(streams, held, unlock);
  }

  private release(streams: readonly string[], held: Promise<void>, unlock: () => void): void {
    for (const stream of streams) if (this.tails.get(stream) === held) this.tails.delete(stream);
    unlock();
  }
}
