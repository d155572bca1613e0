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

/** A longer timer of Node fires at once. 25 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  random: () => Math.random(),
  after: (ms, action) => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (left: number): void => {
      const now = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > now ? wait(left - now) : action()), now);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** Refuses what is no time, such as NaN, with one sentence. Undefined is none. */
export function assertTime(
  name: string,
  ms: number | undefined,
  { min = 0, max = Number.MAX_SAFE_INTEGER } = {},
): void {
  if (ms === undefined || (typeof ms === 'number' && ms >= min && ms <= max)) return;
  const bound = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`;
  throw new RangeError(`Expected ${name} to be a number of milliseconds, ${bound}, but it is ${String(ms)}`);
}

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
