import { accept, alreadyDone, reject } from '../kernel/decider.js';
import { claimIsOver, endOfAttempt, holdsClaim } from './task.claim.js';
import type { TaskCommandOf } from './task.commands.js';
import type { TaskEvent, TaskStepCompleted } from './task.events.js';
import { finished } from './task.settlement.js';
import type { KnownTask, RunningTask, TaskFacts } from './task.state.js';
import type { DecideTaskRequest } from './task.transitions.js';
import { requeue } from './task.requeue.js';

export function completeStep(command: TaskCommandOf<'CompleteStep'>, state: KnownTask): DecideTaskRequest {
  if (!holdsClaim(command, state)) return claimIsOver(command, state);
  const { step } = command;
  const steps = stepsOf(state.task);
  if (!steps.includes(step)) return reject({ code: 'STEP_UNKNOWN', step, steps });
  if (isRepeat(command, state)) return alreadyDone;
  const expected = state.task.nextStep;
  if (step !== expected) return reject({ code: 'STEP_OUT_OF_ORDER', step, expected });
  const next = stepAfter(state.task, step);
  return accept<TaskEvent>(...(next === null ? finish(command, state) : goOn(command, state, next)));
}

/** Under the same claim: another worker that completes a step again has the order wrong. */
const isRepeat = ({ token, step }: TaskCommandOf<'CompleteStep'>, { task }: RunningTask): boolean =>
  task.lastSuccessfulStep === step && task.lastSettlement?.token === token && task.lastSettlement.as === 'continued';

const finish = ({ now, step, result }: TaskCommandOf<'CompleteStep'>, state: RunningTask): readonly TaskEvent[] =>
  finished(state, step, { now, result, noChange: false });

function goOn(command: TaskCommandOf<'CompleteStep'>, state: RunningTask, next: string): readonly TaskEvent[] {
  const { now, step, then, result } = command;
  const data = { step, next, then, ...endOfAttempt(state, now), ...(result !== null && { result }) };
  const completed: TaskStepCompleted = { type: 'TaskStepCompleted', version: 1, data };
  return then === 'continue' ? [completed] : [completed, ...requeue(state, command.conflictingTaskId ?? null)];
}

export const stepsOf = ({ submission }: TaskFacts): readonly string[] => submission.steps ?? NO_STEPS;

/** The step that follows `step`; null after the last one. */
export function stepAfter(task: TaskFacts, step: string): string | null {
  const steps = stepsOf(task);
  return steps[steps.indexOf(step) + 1] ?? null;
}

const NO_STEPS: readonly string[] = [];
