/**
 * Time and randomness for the client; tests provide their own. It is not the service's clock, and never compared with
 * it.
 */
export interface Clock {
  /** Milliseconds that never go backwards. */
  now(): number;
  /** Random, in [0, 1). */
  random(): number;
  /** Runs `action` after `ms`, unless the returned function is called first. */
  after(ms: number, action: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  random: () => Math.random(),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`, or at once when `signal` aborts. The caller checks its signal. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal?.addEventListener('abort', done);
  });
}
