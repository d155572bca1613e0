import { changed } from '../kernel/changed.js';
import type { ErrorClass, TaskError } from './task.events.js';

/** What becomes of a running task that somebody cancels: cancelled, or failed with the request as its error. */
export type CancelRunning = 'cancel' | 'fail';

/** What follows a failed or lost attempt. */
export interface FailureRules {
  readonly onFailure: 'fail' | 'retry' | 'decide';
  readonly retry: RetryPolicy;
  /** How often a task whose lease is lost waits again before it fails (or becomes undecided, under `decide`). */
  readonly maxLost: number;
}

/** What the queue's policy says about failed and lost attempts, in its steps too. */
export interface FailurePolicy extends FailureRules {
  readonly steps?: readonly (string | StepPolicy)[];
}

/** A step with rules of its own. What it leaves out is as in the queue's policy. */
export interface StepPolicy {
  readonly name: string;
  readonly onFailure?: FailureRules['onFailure'];
  readonly retry?: RetryChanges;
  readonly maxLost?: number;
}

export interface RetryPolicy {
  readonly maxAttempts: number;
  readonly classes: readonly ErrorClass[];
  readonly backoff: BackoffPolicy;
}

/** The fields that differ from another policy; one that is `undefined` does not. */
export type RetryChanges = Partial<Omit<RetryPolicy, 'backoff'>> & { readonly backoff?: Partial<BackoffPolicy> };

export const changedRetry = (retry: RetryPolicy, { backoff, ...changes }: RetryChanges = {}): RetryPolicy => ({
  ...changed<Omit<RetryPolicy, 'backoff'>>(retry, changes),
  backoff: changed(retry.backoff, backoff),
});

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
  readonly retryAfterMs: number | null;
  /** In [0, 1), for the jitter. */
  readonly random: number;
}

/**
 * What follows the `failures`-th failure in a row. A delay that the worker asks for replaces the backoff of a retry; it
 * causes no retry if the policy, its limit or the error's class forbid one.
 */
export function consequenceOf(
  { error, final, retryAfterMs, random }: Failure,
  { onFailure, retry }: Pick<FailureRules, 'onFailure' | 'retry'>,
  failures: number,
): Consequence {
  if (final) return { kind: 'final' };
  if (onFailure !== 'retry') return { kind: onFailure };
  const { maxAttempts, classes, backoff } = retry;
  if (failures >= maxAttempts || !classes.includes(error.class)) return { kind: 'fail' };
  return { kind: 'retry', afterMs: retryAfterMs ?? backoffMs(backoff, failures, random) };
}

/**
 * Whole milliseconds to wait after the `failures`-th failure in a row (1 for the first). Full jitter spreads them evenly
 * between zero and the capped delay, so that tasks that failed together are not retried together.
 */
export function backoffMs(policy: BackoffPolicy, failures: number, random: number): number {
  const ceiling = Math.min(policy.capMs, delayMs(policy, failures));
  return Math.floor(policy.jitter === 'full' ? ceiling * random : ceiling);
}

function delayMs({ kind, baseMs, factor }: BackoffPolicy, failures: number): number {
  // Zero times infinity is NaN.
  if (kind === 'fixed' || baseMs === 0) return baseMs;
  return baseMs * factor ** (failures - 1);
}
