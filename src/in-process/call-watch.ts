import { systemClock } from '@waybill/client';

/**
 * Ends a call early, when one of its signals aborts or after a time. After `end` it leaves no listener or timer behind.
 */
export class CallWatch {
  private readonly controller = new AbortController();
  private readonly sources: readonly AbortSignal[];
  private readonly cancelTimer: (() => void) | null;

  constructor(
    sources: readonly (AbortSignal | undefined)[],
    timeout?: { readonly ms: number; readonly reason: () => Error },
  ) {
    this.sources = sources.filter((source) => source !== undefined);
    for (const source of this.sources) {
      if (source.aborted) this.controller.abort(source.reason);
      else source.addEventListener('abort', this.onAbort);
    }
    this.cancelTimer = timeout ? systemClock.after(timeout.ms, () => this.controller.abort(timeout.reason())) : null;
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The result of `work`. If the watch ends the call first, throws the reason, and ignores how `work` ends. */
  async over<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.aborted()]);
  }

  end(): void {
    for (const source of this.sources) source.removeEventListener('abort', this.onAbort);
    this.cancelTimer?.();
  }

  private readonly onAbort = ({ target }: Event): void => this.controller.abort((target as AbortSignal).reason);

  private aborted(): Promise<never> {
    const { signal } = this;
    return new Promise((_, reject) => {
      const end = (): void => reject(signal.reason as Error);
      if (signal.aborted) end();
      else signal.addEventListener('abort', end, { once: true });
    });
  }
}
