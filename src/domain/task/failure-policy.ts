import type { ErrorClass, TaskError } from './task.events.js';

/** What cancelling a running task makes of it: cancelled, or failed with the request as its error. */
export type CancelRunning = 'cancel' | 'fail';

/** What the queue's policy says about a failed or lost attempt. */
export interface FailurePolicy {
  readonly onFailure: 'fail' | 'retry' | 'decide';
  readonly retry: RetryPolicy;
  /** Lost leases that are given back before the task fails (or errs, under `decide`). */
  readonly maxLost: number;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly classes: readonly ErrorClass[];
  readonly backoff: BackoffPolicy;
}

export interface BackoffPolicy {
  readonly kind: 'exponential' | 'fixed';
  readonly baseMs: number;
  readonly factor: number;
  readonly capMs: number;
  readonly jitter: 'full' | 'none';
}

/** `final`: the worker said that no retry can help. `fail`: the policy allows none. `decide`: a person or a rule decides. */
export type Consequence =
  | { readonly kind: 'final' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'decide' }
  | { readonly kind: 'retry'; readonly afterMs: number };

export interface Failure {
  readonly error: TaskError;
  readonly final: boolean;
  readonly policy: FailurePolicy;
  readonly retryAfterMs: number | null;
  /** In [0, 1), for the jitter. */
  readonly random: number;
}

/**
 * What follows from the `failures`-th failure in a row. A worker's wish for a delay replaces the backoff of a retry; it
 * does not make one where the policy, its limit or the error's class forbid it.
 */
export function consequenceOf({ error, final, policy, retryAfterMs, random }: Failure, failures: number): Consequence {
  if (final) return { kind: 'final' };
  if (policy.onFailure !== 'retry') return { kind: policy.onFailure };
  const { maxAttempts, classes, backoff } = policy.retry;
  if (failures >= maxAttempts || !classes.includes(error.class)) return { kind: 'fail' };
  return { kind: 'retry', afterMs: retryAfterMs ?? backoffMs(backoff, failures, random) };
}

/**
 * Whole milliseconds to wait after the `failures`-th failure in a row (1 for the first). Full jitter spreads them evenly
 * from nothing up to the capped delay, so that tasks that failed together do not come back together.
 */
export function backoffMs(policy: BackoffPolicy, failures: number, random: number): number {
  const ceiling = Math.min(policy.capMs, delayMs(policy, failures));
  return Math.floor(policy.jitter === 'full' ? ceiling * random : ceiling);
}

function delayMs({ kind, baseMs, factor }: BackoffPolicy, failures: number): number {
  // Nothing times an infinite power is not a number.
  if (kind === 'fixed' || baseMs === 0) return baseMs;
  return baseMs * factor ** (failures - 1);
}
