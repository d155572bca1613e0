import { accept, alreadyDone, reject } from '../kernel/decider.js';
import { isOperatorCommand, type TaskCommand, type TaskCommandOf } from './task.commands.js';
import { isOpen, type TaskEvent } from './task.events.js';
import type { KnownTask } from './task.state.js';
import type { TaskDecision, TaskRules } from './task.transitions.js';

export const ERASURE_RULES = {
  EraseTask: erase,
} satisfies Partial<TaskRules>;

/** Whether an erased task refuses the command. What the service records about its end, and its deletion, it takes. */
export const takesNothing = ({ type }: TaskCommand, { task }: KnownTask): boolean =>
  task.erased === true && (type === 'RestoreTask' || (isOperatorCommand(type) && type !== 'DeleteTask'));

/** A failed task with a key may block others of the key, so it must be aborted first. */
function erase({ erasure }: TaskCommandOf<'EraseTask'>, state: KnownTask): TaskDecision {
  const { status, task } = state;
  if (task.erased) return alreadyDone;
  const { queue, key } = task.submission;
  if (isOpen(status) || (status === 'failed' && key !== undefined))
    return reject({ code: 'TASK_NOT_ENDED', state: status });
  return accept<TaskEvent>({ type: 'TaskErased', version: 1, data: { queue, erasure } });
}
