import { backoffMs } from './backoff.js';
import type { FailurePolicy } from './task.commands.js';
import type { TaskError } from './task.events.js';

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
