export interface Limits {
  readonly ms: number;
  /** Aborts when the attempt must end before. */
  readonly stop: AbortSignal;
  /** What it fails with when the time is over. */
  readonly late: () => Error;
}

/**
 * Waits for what strangers must answer, but no longer than the limits say. It may never end by itself, so `work` also gets a
 * signal, at which it must let go of what it holds.
 */
export async function within<T>({ ms, stop, late }: Limits, work: (over: AbortSignal) => Promise<T>): Promise<T> {
  stop.throwIfAborted();
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(late()), ms);
  const leave = (): void => over.abort(stop.reason);
  stop.addEventListener('abort', leave);
  try {
    return await Promise.race([work(over.signal), aborted(over.signal)]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', leave);
    over.abort();
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true }));
