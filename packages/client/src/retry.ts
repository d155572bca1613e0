import type { Clock } from './clock.js';
import { WaybillError } from './problems.js';
import { TransportFailure } from './transport.js';

/** How often and how long a request is repeated. Delays double from `baseMs` up to `capMs`, with full jitter. */
export interface RetryRules {
  readonly attempts: number;
  /** From the first attempt's start; a further attempt that could not start before it is not made. */
  readonly deadlineMs: number;
  readonly baseMs: number;
  readonly capMs: number;
}

export const DEFAULT_RETRIES: RetryRules = { attempts: 5, deadlineMs: 30_000, baseMs: 100, capMs: 5_000 };

/** 502 and 504 are a proxy's words for a lost connection. */
const TRANSIENT = new Set([429, 502, 503, 504]);

/** Worth asking again: nobody answered, or the answer was "not now". Everything else is an answer. */
export const isTransient = (error: unknown): boolean =>
  error instanceof TransportFailure || (error instanceof WaybillError && TRANSIENT.has(error.status));

/** The request certainly had no effect: it was never sent, or turned away at the door. A 503 may follow a lost commit. */
export const isNotDone = (error: unknown): boolean =>
  error instanceof TransportFailure
    ? error.kind === 'unreachable'
    : error instanceof WaybillError && error.status === 429;

/**
 * How long to wait after the `failures`-th failure in a row. The jitter comes on top of what the service asked for
 * (`Retry-After`), so that those it sent away together do not come back together.
 */
export function backoffMs(
  rules: Pick<RetryRules, 'baseMs' | 'capMs'>,
  failures: number,
  error: unknown,
  clock: Clock,
): number {
  const ceiling = Math.min(rules.capMs, rules.baseMs * 2 ** Math.min(failures - 1, 30));
  const asked = error instanceof WaybillError ? (error.retryAfterMs ?? 0) : 0;
  return asked + Math.round(clock.random() * ceiling);
}
