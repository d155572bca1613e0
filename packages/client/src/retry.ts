import { assertOptions } from './call-options.js';
import { assertTime, type Clock } from './clock.js';
import { WaybillError } from './problems.js';
import { TransportFailure } from './transport.js';

/** How often and how long to retry a request. Delays double from `baseMs` up to `capMs`, with full jitter. */
export interface RetryRules {
  readonly attempts: number;
  /** Counted from the start of the first attempt. No attempt starts later. */
  readonly deadlineMs: number;
  readonly baseMs: number;
  readonly capMs: number;
}

export const DEFAULT_RETRIES: RetryRules = { attempts: 5, deadlineMs: 30_000, baseMs: 100, capMs: 5_000 };

/** Refuses rules that are none, such as NaN. */
export function assertRules(rules: Partial<RetryRules>): void {
  assertOptions('retry', rules);
  const { attempts, ...times } = rules;
  for (const name of ['deadlineMs', 'baseMs', 'capMs'] as const) assertTime(`retry.${name}`, times[name]);
  if (attempts === undefined || attempts >= 1) return;
  throw new RangeError(`Expected retry.attempts to be a number, 1 or more, but it is ${String(attempts)}`);
}

/** The service answers 408 if a request does not arrive in time. A proxy answers 502 and 504 if it loses the connection. */
const TRANSIENT = new Set([408, 429, 502, 503, 504]);

/** An API key may run no more tasks. That lasts as long as its tasks run, which no retry can wait for. */
export const ENOUGH_RUN = 'HOLDER_FULL';

/** The query would read too much, and would read as much again. */
const READ_TOO_LONG = 'READ_TOO_LONG';

const LASTING: ReadonlySet<string> = new Set([ENOUGH_RUN, READ_TOO_LONG]);

/** Whether to retry: there was no answer, or the answer was "not now". */
export const isTransient = (error: unknown): boolean =>
  error instanceof TransportFailure ||
  (error instanceof WaybillError && TRANSIENT.has(error.status) && !LASTING.has(error.code));

/** Whether the request certainly had no effect: it never arrived, or was refused before it was handled. A 503 may follow a lost commit. */
export const isNotDone = (error: unknown): boolean =>
  error instanceof TransportFailure
    ? error.kind === 'unreachable'
    : error instanceof WaybillError && (error.status === 408 || error.status === 429 || error.code === 'CONTENTION');

/**
 * How long to wait after the `failures`-th consecutive failure. The jitter is added to the delay that the service asked
 * for (`Retry-After`), so that clients refused together do not return together.
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
