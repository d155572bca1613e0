import { changed } from '../kernel/changed.js';
import type { ErrorClasses } from './error-class.js';
import type { AttemptClass, ErrorClass, TaskError } from './task.events.js';

/** What happens when somebody cancels a running task: it is cancelled, or it fails with the request as its error. */
export type CancelRunning = 'cancel' | 'fail';

/** What follows a failed or lost attempt. */
export interface FailureRules {
  readonly onFailure: 'fail' | 'retry' | 'decide';
  readonly retry: RetryPolicy;
  /**
   * How often a task whose lease is lost waits again. After that it fails, or becomes undecided under `decide`. Null:
   * without limit.
   */
  readonly maxLost: number | null;
}

/** The queue's rules for failed and lost attempts, including those of its steps. */
export interface FailurePolicy extends FailureRules {
  readonly steps?: readonly (string | StepPolicy)[];
  /** Absent: `given`. */
  readonly errorClasses?: ErrorClasses;
}

/** Rules for one step. What a step omits follows the queue's policy. */
export interface StepPolicy {
  readonly name: string;
  readonly onFailure?: FailureRules['onFailure'];
  readonly retry?: RetryChanges;
  readonly maxLost?: number | null;
  /** How long a worker may take for the step, from its beginning; null: for ever. */
  readonly maxRunMs?: number | null;
  /** False: no failure and no loss ends the task in this step; it is always retried. */
  readonly mayFail?: boolean;
  /** False: no retry by a person begins at this step. */
  readonly resumable?: boolean;
  /** False: completing it leaves the last successful step as it is. */
  readonly marks?: boolean;
  /** True: only tasks that name the step have it. */
  readonly optional?: boolean;
  /** A task is given out for the step only while all of them are met. */
  readonly needs?: readonly StepNeed[];
}

/** Met while the resource's gauge is below this. */
export interface StepNeed {
  readonly resource: string;
  readonly below: number;
}

export interface RetryPolicy {
  /** Null: no limit. */
  readonly maxAttempts: number | null;
  readonly classes: readonly AttemptClass[];
  readonly backoff: BackoffPolicy;
}

/** The fields that differ from another policy. A field that is `undefined` keeps its value. */
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

/**
 * `final`: the worker said that no retry can help. `fail`: the policy allows no retry. `decide`: a person or a rule
 * decides.
 */
export type Consequence =
  | { readonly kind: 'final' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'decide' }
  | { readonly kind: 'retry'; readonly afterMs: number };

export interface Failure {
  readonly error: TaskError;
  readonly final: boolean;
  readonly retryAfterMs: number | null;
  /** Random, in [0, 1), for the jitter. */
  readonly random: number;
}

/**
 * What follows the `failures`-th consecutive failure. A delay requested by the worker replaces the backoff, but causes
 * no retry if the policy, its limit or the error's class forbids one.
 */
export function consequenceOf(
  { error, final, retryAfterMs, random }: Failure,
  { onFailure, retry, mayFail = true }: Pick<FailureRules, 'onFailure' | 'retry'> & Pick<StepPolicy, 'mayFail'>,
  failures: number,
): Consequence {
  if (!mayFail) return { kind: 'retry', afterMs: retryAfterMs ?? backoffMs(retry.backoff, failures, random) };
  if (final) return { kind: 'final' };
  if (onFailure !== 'retry') return { kind: onFailure };
  const { maxAttempts, classes, backoff } = retry;
  if ((maxAttempts !== null && failures >= maxAttempts) || !isListed(error.class, classes)) return { kind: 'fail' };
  return { kind: 'retry', afterMs: retryAfterMs ?? backoffMs(backoff, failures, random) };
}

const isListed = (errorClass: ErrorClass, classes: readonly ErrorClass[]): boolean => classes.includes(errorClass);

/**
 * The milliseconds to wait after the `failures`-th consecutive failure (1 for the first). Full jitter spreads the
 * delays evenly between zero and the capped value, so that tasks that failed together are not retried together.
 */
export function backoffMs(policy: BackoffPolicy, failures: number, random: number): number {
  const ceiling = Math.min(policy.capMs, delayMs(policy, failures));
  return Math.floor(policy.jitter === 'full' ? ceiling * random : ceiling);
}

/** A queue that retries failures at once must not give what ends its workers to one after the other without a pause. */
const FIRST_PAUSE_MS = 1_000;

/** A task whose worker vanishes once waits for nothing. From the second time in a row on, the pause doubles each time. */
export const lossPauseMs = ({ baseMs, capMs }: BackoffPolicy, lost: number): number =>
  lost < 2 ? 0 : Math.min(capMs, Math.max(FIRST_PAUSE_MS, baseMs) * 2 ** (lost - 2));

function delayMs({ kind, baseMs, factor }: BackoffPolicy, failures: number): number {
  // Zero times infinity would be NaN.
  if (kind === 'fixed' || baseMs === 0) return baseMs;
  return baseMs * factor ** (failures - 1);
}
