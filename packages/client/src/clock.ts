/** Time and chance as the client sees them; tests bring their own. Not the service's clock, and never compared with it. */
export interface Clock {
  /** Milliseconds that never go backwards. */
  now(): number;
  /** In [0, 1). */
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

/** Resolves after `ms`, or at once when `signal` aborts; the caller looks at its signal. */
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
