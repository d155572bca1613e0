import type { FailurePolicy } from './failure-policy.js';
import { isResumable } from './step-policy.js';
import type { Rerun } from './task.events.js';
import type { FailedTask, TaskFacts, TaskState } from './task.state.js';

/** Whether a copy may run the task again: a person could retry it as well. */
export const mayRunAgain = (state: TaskState): state is FailedTask =>
  state.status === 'failed' && !state.final && !state.task.erased;

/** What a copy of the task begins with. It goes on at the step that failed, unless nobody may begin there. */
export function rerunOf(id: string, { task }: FailedTask, policy: FailurePolicy): Rerun {
  const step = stepOf(task, policy);
  return {
    task: id,
    ...(step !== null && { step }),
    ...(step !== null && task.lastSuccessfulStep !== null && { lastStep: task.lastSuccessfulStep }),
    ...(Object.keys(task.data).length > 0 && { data: task.data }),
  };
}

const stepOf = ({ entered, nextStep }: TaskFacts, policy: FailurePolicy): string | null =>
  entered && nextStep !== null && isResumable(policy, nextStep) ? nextStep : null;
