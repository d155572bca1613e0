import { commandsOfPeople, type OperatorCommandType } from '../../application/tasks/offers.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { shownOpenTasks } from './open-tasks.js';
import type { TaskExplanation } from '../../projections/task-why/explain-task.query.js';

export interface Explanation extends Omit<TaskExplanation, 'commands' | 'reasons'> {
  readonly reasons: readonly Shown[];
  /** The commands that people can give now, named as in refusals. */
  readonly allowed: readonly OperatorCommandType[];
}

type Shown =
  TaskExplanation['reasons'][number] | { readonly because: 'prerequisites'; readonly blockers: readonly object[] };

/** What is open of a batch that the task waits for is told with the commands that end it. */
function shownReason(reason: TaskExplanation['reasons'][number]): Shown {
  if (reason.because !== 'prerequisites') return reason;
  const blockers = reason.blockers.map(({ open = [], ...blocker }) =>
    open.length === 0 ? blocker : { ...blocker, open: open.map(shownOpenTasks) },
  );
  return { ...reason, blockers };
}

/** Why a task is not running, and which commands are possible. */
export function explanationOf({ commands, ...explanation }: TaskExplanation): Explanation {
  const { state, reasons } = explanation;
  const isFinal = reasons.some((reason) => reason.because === 'ended' && reason.final);
  return {
    ...explanation,
    reasons: reasons.map(shownReason),
    allowed: commandsOfPeople(state as TaskStatus, isFinal, { commands }),
  };
}
