import { accept, alreadyDone, reject } from '../kernel/decider.js';
import { type Json, sameContent } from '../kernel/json.js';
import type { TaskCommandOf } from './task.commands.js';
import type { TaskEvent, TaskStepCompleted, TaskSucceeded } from './task.events.js';
import { type KnownTask, type RunningTask, stepAfter, stepsOf } from './task.state.js';
import type { TaskDecision, TaskRules } from './task.transitions.js';
import { claimIsOver, holdsClaim } from './claim.js';
import { dataRefusal } from './data.js';
import { endOfAttempt, keyOf, ofAttempt, postponed, reasonIn } from './event-parts.js';
import { requeue } from './requeue.js';
import { runUntil } from './run-limits.js';

export const SETTLEMENT_RULES = {
  CompleteStep: completeStep,
  ReportError: reportError,
  SucceedTask: succeed,
  ReturnTask: returnTask,
  ConfirmCancel: confirmCancel,
  CancelRun: cancelRun,
} satisfies Partial<TaskRules>;

function succeed(command: TaskCommandOf<'SucceedTask'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  const { nextStep } = state.task;
  if (nextStep === null) return accept<TaskEvent>(succeeded(state, command));
  const last = state.task.submission.steps?.at(-1);
  if (nextStep !== last) return reject({ code: 'STEP_OUT_OF_ORDER', step: last ?? nextStep, expected: nextStep });
  return accept<TaskEvent>(...finished(state, last, command));
}

interface Success {
  readonly now: string;
  readonly result: Json;
  readonly noChange: boolean;
}

type Open<T> = { -readonly [K in keyof T]: T[K] };

/** Written field by field, because it runs for every task, and each spread of a part that is absent takes 0.1 us. */
function succeeded(state: RunningTask, { now, result, noChange }: Success): TaskEvent {
  const data: Open<TaskSucceeded['data']> = endOfAttempt(state, now);
  const { key, rerunOf } = state.task.submission;
  if (key !== undefined) data.key = key;
  if (rerunOf !== undefined) data.rerunOf = rerunOf.task;
  if (result !== null) data.result = result;
  if (noChange) data.noChange = noChange;
  return { type: 'TaskSucceeded', version: 1, data };
}

/** The result of the last step is the task's result. It is recorded once, with the success. */
function finished(
  state: RunningTask,
  step: string,
  success: Success,
  more: RecordedWithStep = {},
): readonly TaskEvent[] {
  const data = { step, then: 'finish' as const, ...endOfAttempt(state, success.now), ...more };
  return [{ type: 'TaskStepCompleted', version: 1, data }, succeeded(state, success)];
}

const priorityRefusal = (
  { priority, takesPriority = false }: TaskCommandOf<'CompleteStep'>,
  { task }: RunningTask,
): TaskDecision | null =>
  priority === undefined || takesPriority ? null : reject({ code: 'PRIORITY_NOT_TAKEN', queue: task.submission.queue });

type RecordedWithStep = Pick<TaskStepCompleted['data'], 'data' | 'priority' | 'unmarked'>;

const recordedWith = (
  { data, priority, unmarked }: TaskCommandOf<'CompleteStep'>,
  { task }: RunningTask,
): RecordedWithStep => ({
  ...(data !== undefined && { data }),
  ...(priority !== undefined && priority !== task.priority && { priority }),
  ...(unmarked && { unmarked }),
});

function reportError(command: TaskCommandOf<'ReportError'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  if (sameContent(state.reportedError, command.error)) return alreadyDone;
  const data = { error: command.error, ...ofAttempt(state) };
  return accept<TaskEvent>({ type: 'TaskErrorReported', version: 1, data });
}

function returnTask(command: TaskCommandOf<'ReturnTask'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  const follows = requeue(state, command);
  return accept<TaskEvent>(
    {
      type: 'TaskReturned',
      version: 1,
      data: { ...endOfAttempt(state, command.now), ...(command.unstarted && { unstarted: true as const }) },
    },
    ...(follows.length === 0 && command.afterMs ? [postponed(state, command.now, command.afterMs)] : follows),
  );
}

function confirmCancel(command: TaskCommandOf<'ConfirmCancel'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  if (state.cancelRequest === null) return reject({ code: 'CANCEL_NOT_REQUESTED' });
  return accept<TaskEvent>(...stopped(state, command));
}

/** The worker cancels its own run. A request that was made before it counts instead: to hold the task, for example. */
function cancelRun(command: TaskCommandOf<'CancelRun'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  if (state.cancelRequest !== null) return accept<TaskEvent>(...stopped(state, command));
  const { by, reason } = command;
  const cancelRequest = { by, reason, then: 'cancelled' as const, shutdown: true };
  const data = { by, then: cancelRequest.then, shutdown: true as const, ...ofAttempt(state), ...reasonIn(reason) };
  return accept<TaskEvent>(
    { type: 'TaskCancelRequested', version: 1, data },
    ...stopped({ ...state, cancelRequest }, command),
  );
}

function stopped(
  state: RunningTask,
  { now, conflictingTaskId }: TaskCommandOf<'ConfirmCancel' | 'CancelRun'>,
): readonly TaskEvent[] {
  const confirmed: TaskEvent = { type: 'TaskCancelConfirmed', version: 1, data: endOfAttempt(state, now) };
  return [confirmed, ...requeue(state, { now, conflictingTaskId })];
}

function completeStep(command: TaskCommandOf<'CompleteStep'>, state: KnownTask): TaskDecision {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  const { step } = command;
  const steps = stepsOf(state.task);
  if (!steps.includes(step)) return reject({ code: 'STEP_UNKNOWN', step, steps });
  if (isCompleted(command, state)) return alreadyDone;
  const expected = state.task.nextStep;
  if (step !== expected) return reject({ code: 'STEP_OUT_OF_ORDER', step, expected });
  const refusal = priorityRefusal(command, state) ?? (command.data && dataRefusal(state.task.data, command.data));
  if (refusal) return refusal;
  const next = stepAfter(state.task, step);
  if (next !== null) return accept<TaskEvent>(...goOn(command, state, next));
  const { now, result } = command;
  return accept<TaskEvent>(...finished(state, step, { now, result, noChange: false }, recordedWith(command, state)));
}

/** Whether this claim has already completed the step. Another worker that completes it again has the order wrong. */
const isCompleted = (
  { token, step }: TaskCommandOf<'CompleteStep'>,
  { task: { lastSettlement } }: RunningTask,
): boolean => lastSettlement?.step === step && lastSettlement.token === token && lastSettlement.as === 'continued';

/** What is claimed for a job has as much time as the job. */
const goesOnUntil = ({ now, limits }: TaskCommandOf<'CompleteStep'>, { lease }: RunningTask, step: string) =>
  lease.job === undefined ? runUntil(limits, { claimedAt: lease.claimedAt, step, now }) : {};

function goOn(command: TaskCommandOf<'CompleteStep'>, state: RunningTask, next: string): readonly TaskEvent[] {
  const { now, step, result } = command;
  const then = command.gated?.includes(next) ? 'offer' : command.then;
  const data = {
    step,
    next,
    then,
    ...endOfAttempt(state, now),
    ...(then === 'offer' && keyOf(state.task)),
    ...(result !== null && { result }),
    ...recordedWith(command, state),
    ...(then === 'continue' && goesOnUntil(command, state, next)),
  };
  const completed: TaskStepCompleted = { type: 'TaskStepCompleted', version: 1, data };
  return then === 'continue'
    ? [completed]
    : [completed, ...requeue(state, { now, conflictingTaskId: command.conflictingTaskId ?? null })];
}
