import { accept, alreadyDone } from '../kernel/decider.js';
import { consequenceOf, type FailureRules, lossPauseMs } from './failure-policy.js';
import type { TaskCommandOf } from './task.commands.js';
import type { TaskError, TaskEvent } from './task.events.js';
import { type KnownTask, loserNames, type RunningTask } from './task.state.js';
import type { TaskDecision, TaskRules } from './task.transitions.js';
import { claimIsOver, holdsClaim, leaseLost } from './claim.js';
import { endOfAttempt, keyOf, later, postponed } from './event-parts.js';
import { failed, inShort, requeue } from './requeue.js';
import { failurePolicyFor } from './step-policy.js';

export const FAILURE_RULES = {
  FailTask: fail,
  ExpireLease: expireLease,
} satisfies Partial<TaskRules>;

type FailedAttempt = Pick<
  TaskCommandOf<'FailTask'>,
  'now' | 'error' | 'final' | 'retryAfterMs' | 'random' | 'policy' | 'conflictingTaskId'
>;

function fail(command: TaskCommandOf<'FailTask'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  const data = { error: command.error, ...endOfAttempt(state, command.now) };
  return accept<TaskEvent>({ type: 'TaskAttemptFailed', version: 1, data }, ...afterFailure(command, state));
}

/** What a failed attempt leads to, by the policy. */
export function afterFailure(command: FailedAttempt, state: RunningTask): readonly TaskEvent[] {
  const { now, error, conflictingTaskId } = command;
  const failures = state.task.failures + 1;
  const rules = failurePolicyFor(command.policy, state.task);
  const counted = failures - (rules.uncounted?.failures ?? 0);
  const exhausted = isExhausted(rules, counted);
  const consequence = consequenceOf(command, rules, counted);
  switch (consequence.kind) {
    case 'decide':
      return [undecided(state, error)];
    case 'final':
      return [failed(state, now, error, { final: true, decidedBy: state.lease.worker, ...exhausted })];
    case 'fail':
      return [failed(state, now, error, exhausted)];
    case 'retry':
      // Somebody asked for the task to stop, so it is not retried.
      if (state.cancelRequest !== null)
        return rules.mayFail === false
          ? requeue(state, { now, conflictingTaskId }, error)
          : [failed(state, now, error)];
      if (conflictingTaskId !== null) return [failed(state, now, error, { conflictingTaskId })];
      return [retryScheduled(state, later(now, consequence.afterMs), failures)];
  }
}

/** Without automatic retries, the first failure reaches their limit. */
const isExhausted = ({ onFailure, retry }: FailureRules, failures: number): { readonly exhausted?: true } =>
  onFailure !== 'retry' || (retry.maxAttempts !== null && failures >= retry.maxAttempts) ? { exhausted: true } : {};

function retryScheduled({ task }: RunningTask, dueAt: string, failures: number): TaskEvent {
  const data = { queue: task.submission.queue, dueAt, failures, decidedBy: 'policy' as const };
  return { type: 'TaskRetryScheduled', version: 1, data };
}

const undecided = ({ task }: RunningTask, error: TaskError): TaskEvent => ({
  type: 'TaskDecisionRequested',
  version: 1,
  data: { error: inShort(error), queue: task.submission.queue, ...keyOf(task) },
});

/** A late expiry is harmless: a task that is not running has no lease to lose. */
function expireLease(command: TaskCommandOf<'ExpireLease'>, state: KnownTask): TaskDecision {
  if (state.status !== 'running') return alreadyDone;
  if (!holdsClaim(command, state)) return leaseLost(state);
  return accept<TaskEvent>(
    {
      type: 'TaskLeaseExpired',
      version: 1,
      data: { ...endOfAttempt(state, command.now), ...(command.unheard && { unheard: true as const }) },
    },
    ...afterLoss(command, state),
  );
}

/** A lost attempt puts the task back to waiting under any retry policy, up to `maxLost`. */
function afterLoss(
  { now, policy, conflictingTaskId }: TaskCommandOf<'ExpireLease'>,
  state: RunningTask,
): readonly TaskEvent[] {
  const error = lostAttempt(state);
  const { maxLost, onFailure, retry, uncounted, mayFail } = failurePolicyFor(policy, state.task);
  const lost = state.task.lost - (uncounted?.lost ?? 0);
  const goesOn = mayFail === false || maxLost === null || lost < maxLost;
  if (state.cancelRequest !== null || goesOn) {
    const follows = requeue(state, { now, conflictingTaskId }, error);
    const pauseMs = lossPauseMs(retry.backoff, lost + 1);
    return follows.length === 0 && pauseMs > 0 ? [postponed(state, now, pauseMs)] : follows;
  }
  return [onFailure === 'decide' ? undecided(state, error) : failed(state, now, error, { exhausted: true })];
}

function lostAttempt({ task, lease }: RunningTask): TaskError {
  const message = `Expected worker '${lease.worker}' to settle attempt ${task.attempt} before its lease ended, but it did not`;
  const times = task.lost + 1;
  const workers = loserNames(task.lostBy, lease.worker).map((name) => `'${name}'`);
  return {
    message: times === 1 ? message : `${message}; the task was lost ${times} times (last by ${workers.join(', ')})`,
    class: 'lost',
  };
}
