/** Tells waiters that something changed. A count seen before a look makes sure that no change during the look is missed. */
export class Signal {
  private changes = 0;
  private readonly waiters = new Set<() => void>();

  get count(): number {
    return this.changes;
  }

  emit(): void {
    this.changes += 1;
    for (const wake of this.waiters) wake();
  }

  /** Resolves once there was a change after `count`, when `signal` aborts, or after `timeoutMs`. */
  async past(count: number, signal: AbortSignal, timeoutMs?: number): Promise<void> {
    if (this.changes !== count || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.waiters.delete(wake);
        signal.removeEventListener('abort', wake);
        clearTimeout(timer);
        resolve();
      };
      const timer = timeoutMs === undefined ? undefined : setTimeout(wake, timeoutMs);
      this.waiters.add(wake);
      signal.addEventListener('abort', wake);
    });
  }
}
