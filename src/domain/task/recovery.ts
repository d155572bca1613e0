import { accept, alreadyDone, reject } from '../kernel/decider.js';
import type { TaskCommandOf } from './task.commands.js';
import { classOf } from './error-class.js';
import type { ErrorClass, TaskEvent } from './task.events.js';
import { type KnownTask, stepsOf, type TaskFacts } from './task.state.js';
import { type TaskDecision, illegal, type TaskRules } from './task.transitions.js';
import { caughtBy, endOfAttempt, keyOf, leaving, rerunOf } from './event-parts.js';
import { displaced } from './requeue.js';
import { isResumable } from './step-policy.js';

export const RECOVERY_RULES = {
  DecideRetry: decideRetry,
  DecideFail: decideFail,
  RetryTask: retry,
  OverruleTask: overrule,
} satisfies Partial<TaskRules>;

function decideRetry(command: TaskCommandOf<'DecideRetry'>, state: KnownTask): TaskDecision {
  if (state.status !== 'undecided') return illegal(command, state);
  const data = { by: command.by, ...leaving(state), ...caughtBy(command.heldBy) };
  return accept<TaskEvent>({ type: 'TaskRetried', version: 1, data });
}

/** The decision lies between a retry and a final failure, so the failure that it records is final. */
function decideFail(command: TaskCommandOf<'DecideFail'>, state: KnownTask): TaskDecision {
  if (state.status === 'failed') return alreadyDone;
  if (state.status !== 'undecided') return illegal(command, state);
  const failed = { error: state.error, final: true, decidedBy: command.by, exhausted: true as const };
  return accept<TaskEvent>({
    type: 'TaskFailed',
    version: 1,
    data: { ...failed, ...leaving(state), ...keyOf(state.task) },
  });
}

/** Also resumes a cancelled task. Completed steps are not repeated unless the caller names the step to resume at. */
function retry(command: TaskCommandOf<'RetryTask'>, state: KnownTask): TaskDecision {
  if (state.status !== 'failed' && state.status !== 'cancelled') return illegal(command, state);
  if (state.status === 'failed' && state.final) return reject({ code: 'FAILURE_IS_FINAL' });
  return (
    stepRefusal(command, state.task) ??
    accept<TaskEvent>({
      type: 'TaskRetried',
      version: 1,
      data: { by: command.by, ...leaving(state), ...target(command, state.task), ...caughtBy(command.heldBy) },
    })
  );
}

function stepRefusal(command: TaskCommandOf<'RetryTask'>, task: TaskFacts): TaskDecision | null {
  return unknownOrLater(command, task) ?? notResumable(command, task);
}

function unknownOrLater({ step, override }: TaskCommandOf<'RetryTask'>, task: TaskFacts): TaskDecision | null {
  if (step === null) return null;
  const steps = stepsOf(task);
  if (!steps.includes(step)) return reject({ code: 'STEP_UNKNOWN', step, steps });
  if (step === task.nextStep || override) return null;
  return reject({ code: 'RETRY_STEP_NEEDS_OVERRIDE', step, implied: task.nextStep });
}

/** A task that has not entered a step begins at its first, whether that can be resumed or not. */
function notResumable({ step: given, policy }: TaskCommandOf<'RetryTask'>, task: TaskFacts): TaskDecision | null {
  const step = given ?? (task.entered ? task.nextStep : null);
  return step === null || policy === undefined || isResumable(policy, step)
    ? null
    : reject({ code: 'STEP_NOT_RESUMABLE', step });
}

const target = ({ step }: TaskCommandOf<'RetryTask'>, { nextStep }: TaskFacts) =>
  step === null ? {} : { step, ...(step !== nextStep && { override: true }) };

/** Ends the attempt on an administrator's word, whatever the worker is doing. */
function overrule(command: TaskCommandOf<'OverruleTask'>, state: KnownTask): TaskDecision {
  if (state.status !== 'running') return illegal(command, state);
  const { now, by, verdict, conflictingTaskId, result } = command;
  const reason = command.reason.trim();
  if (reason === '') return reject({ code: 'REASON_REQUIRED' });
  const errorClass = verdict === 'fail' && guessed({ message: reason, details: result }, command.policy);
  const original = verdict === 'succeed' && rerunOf(state.task);
  const said = { verdict, by, reason, ...(result !== undefined && { result }) };
  const data = { ...said, ...endOfAttempt(state, now), ...keyOf(state.task), ...original, ...errorClass };
  const overruled: TaskEvent = { type: 'TaskOverruled', version: 1, data };
  const keyConflict = verdict === 'requeue' && conflictingTaskId !== null;
  return keyConflict ? accept(overruled, displaced(state, { now, conflictingTaskId })) : accept(overruled);
}

/** Left out where it says nothing new. */
function guessed(
  error: Parameters<typeof classOf>[0],
  policy: TaskCommandOf<'OverruleTask'>['policy'],
): { readonly class?: ErrorClass } {
  const errorClass = classOf(error, policy?.errorClasses ?? 'given');
  return errorClass === 'application' ? {} : { class: errorClass };
}
