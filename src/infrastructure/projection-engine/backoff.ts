import { setTimeout as delay } from 'node:timers/promises';

export interface BackoffOptions {
  readonly firstMs: number;
  readonly capMs: number;
}

const USUAL: BackoffOptions = { firstMs: 50, capMs: 5_000 };

/** Waits longer after each consecutive failure, with jitter so that replicas do not retry in step. */
export class Backoff {
  private failures = 0;

  constructor(private readonly options: BackoffOptions = USUAL) {}

  succeeded(): void {
    this.failures = 0;
  }

  /** Resolves after the wait, or at once if `signal` aborts. */
  async wait(signal?: AbortSignal): Promise<void> {
    const { firstMs, capMs } = this.options;
    const most = Math.min(capMs, firstMs * 2 ** this.failures++);
    await pause(most * (0.5 + Math.random() / 2), signal);
  }
}

/** Resolves after `ms`, or at once if `signal` aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, signal && { signal });
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}
