import { accept, alreadyDone } from '../kernel/decider.js';
import type { TaskCommandOf } from './task.commands.js';
import type { Prerequisite, TaskEvent } from './task.events.js';
import type { KnownTask } from './task.state.js';
import { type TaskDecision, illegal, type TaskRules } from './task.transitions.js';

export const PREREQUISITE_RULES = {
  ChangePrerequisites: changePrerequisites,
} satisfies Partial<TaskRules>;

/**
 * What a task waits for may change until it runs, and again while it is out of line after a failure or cancellation.
 * Records only what is new: a repeated change is already done. What is both added and waived is added.
 */
function changePrerequisites(command: TaskCommandOf<'ChangePrerequisites'>, state: KnownTask): TaskDecision {
  switch (state.status) {
    case 'prepared':
    case 'pending':
    case 'held':
    case 'undecided':
    case 'failed':
    case 'cancelled':
      return change(command, state);
    default:
      return illegal(command, state);
  }
}

function change({ add, waive }: TaskCommandOf<'ChangePrerequisites'>, { task }: KnownTask): TaskDecision {
  const known = new Map(task.after.map((one) => [idOf(one), one]));
  const wanted = changedPrerequisites([], add, []);
  const added = wanted.filter((one) => !isSame(known.get(idOf(one)), one));
  const named = new Set(wanted.map(idOf));
  const waived = waive.filter((id) => known.has(id) && !named.has(id));
  if (added.length + waived.length === 0) return alreadyDone;
  const data = { queue: task.submission.queue, added, waived };
  return accept<TaskEvent>({ type: 'TaskPrerequisitesChanged', version: 1, data });
}

/** The id of the task or batch. */
export const idOf = (one: Prerequisite): string => ('task' in one ? one.task : one.batch);

export const ignoresAbort = (one: Prerequisite): boolean => one.ignore === true;

const isSame = (known: Prerequisite | undefined, one: Prerequisite): boolean =>
  known !== undefined && ignoresAbort(known) === ignoresAbort(one);

/** Each prerequisite once, in the order in which they were first named; the later of two for the same task counts. */
export function changedPrerequisites(
  before: readonly Prerequisite[],
  added: readonly Prerequisite[],
  waived: readonly string[],
): readonly Prerequisite[] {
  const after = new Map(before.map((one) => [idOf(one), one]));
  for (const id of waived) after.delete(id);
  for (const one of added) after.set(idOf(one), one);
  return [...after.values()];
}
