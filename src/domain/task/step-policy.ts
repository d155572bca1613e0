import { changedRetry, type FailurePolicy, type FailureRules, type StepPolicy } from './failure-policy.js';
import type { TaskFacts, Tally } from './task.state.js';

/** The rules for a task at its current step. */
export interface RulesAtStep extends FailureRules {
  /** The failures and lost leases that the limits do not count. If absent, all count. */
  readonly uncounted?: Tally;
  /** Set if no failure and no loss may end the task here. */
  readonly mayFail?: false;
}

/**
 * Decides which rules apply: the step's, and the queue's for what the step omits. No other code does. A limit set by
 * the step counts from the beginning of the step; the queue's limits count over the whole task. A step that the queue's
 * policy no longer has follows the queue's rules.
 */
export function failurePolicyFor(policy: FailurePolicy, task: Pick<TaskFacts, 'nextStep' | 'beforeStep'>): RulesAtStep {
  const own = task.nextStep === null ? null : stepPolicy(policy, task.nextStep);
  if (own === null) return policy;
  return {
    onFailure: own.onFailure ?? policy.onFailure,
    retry: changedRetry(policy.retry, own.retry),
    maxLost: own.maxLost === undefined ? policy.maxLost : own.maxLost,
    uncounted: uncountedBy(own, task.beforeStep ?? NOTHING),
    ...(own.mayFail === false && { mayFail: false as const }),
  };
}

const NOTHING: Tally = { failures: 0, lost: 0 };

const uncountedBy = ({ retry, maxLost }: StepPolicy, before: Tally): Tally => ({
  failures: retry?.maxAttempts === undefined ? 0 : before.failures,
  lost: maxLost === undefined ? 0 : before.lost,
});

/** Whether a person may let a task begin again at this step. */
export const isResumable = (policy: FailurePolicy, step: string): boolean =>
  stepPolicy(policy, step)?.resumable !== false;

/** Whether completing the step makes it the last successful one. */
export const marksSuccess = (policy: FailurePolicy, step: string): boolean => stepPolicy(policy, step)?.marks !== false;

function stepPolicy({ steps }: FailurePolicy, name: string): StepPolicy | null {
  const own = steps?.find((step) => typeof step !== 'string' && step.name === name);
  return (own as StepPolicy | undefined) ?? null;
}
