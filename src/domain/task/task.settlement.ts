import { accept, alreadyDone, reject } from '../kernel/decider.js';
import { type Json, sameContent } from '../kernel/json.js';
import type { TaskCommandOf } from './task.commands.js';
import type { TaskEvent } from './task.events.js';
import type { KnownTask, RunningTask } from './task.state.js';
import { claimIsOver, endOfAttempt, holdsClaim, ofAttempt } from './task.claim.js';
import { requeue } from './task.requeue.js';
import { keyOf, type DecideTaskRequest } from './task.transitions.js';

export function succeed(command: TaskCommandOf<'SucceedTask'>, state: KnownTask): DecideTaskRequest {
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

function succeeded(state: RunningTask, { now, result, noChange }: Success): TaskEvent {
  const data = {
    ...endOfAttempt(state, now),
    ...keyOf(state.task),
    ...(result !== null && { result }),
    ...(noChange && { noChange }),
  };
  return { type: 'TaskSucceeded', version: 1, data };
}

/** The last step's result is the task's, and is recorded once: with the success. */
export function finished(state: RunningTask, step: string, success: Success): readonly TaskEvent[] {
  const data = { step, then: 'finish' as const, ...endOfAttempt(state, success.now) };
  return [{ type: 'TaskStepCompleted', version: 1, data }, succeeded(state, success)];
}

export function reportError(command: TaskCommandOf<'ReportError'>, state: KnownTask): DecideTaskRequest {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  if (sameContent(state.reportedError, command.error)) return alreadyDone;
  const data = { error: command.error, ...ofAttempt(state) };
  return accept<TaskEvent>({ type: 'TaskErrorReported', version: 1, data });
}

export function returnTask(command: TaskCommandOf<'ReturnTask'>, state: KnownTask): DecideTaskRequest {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  return accept<TaskEvent>(
    { type: 'TaskReturned', version: 1, data: endOfAttempt(state, command.now) },
    ...requeue(state, command.conflictingTaskId),
  );
}

export function confirmCancel(command: TaskCommandOf<'ConfirmCancel'>, state: KnownTask): DecideTaskRequest {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  if (state.cancelRequest === null) return reject({ code: 'CANCEL_NOT_REQUESTED' });
  return accept<TaskEvent>(
    { type: 'TaskCancelConfirmed', version: 1, data: endOfAttempt(state, command.now) },
    ...requeue(state, command.conflictingTaskId),
  );
}
