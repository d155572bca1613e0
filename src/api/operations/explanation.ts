import { commandsOfPeople, type OperatorCommandType } from '../../application/tasks/offers.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import { shownOpenTasks } from './open-tasks.js';
import type { TaskExplanation } from '../../projections/task-why/explain-task.query.js';
import type { Blocker } from '../../projections/task-why/why.js';

export interface Explanation extends Omit<TaskExplanation, 'commands' | 'reasons'> {
  readonly reasons: readonly Shown[];
  /** The commands that people can give now, named as in refusals. */
  readonly allowed: readonly OperatorCommandType[];
}

type Reason = TaskExplanation['reasons'][number];

interface ShownBlocker extends Pick<Blocker, 'id' | 'state'> {
  readonly open?: readonly object[];
}

type Shown =
  | Exclude<Reason, { readonly because: 'prerequisites' }>
  | { readonly because: 'prerequisites'; readonly count: number; readonly blockers: readonly ShownBlocker[] };

/** What is open of a batch that the task waits for is told with the commands that end it. */
function shownReason(reason: Reason): Shown {
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

/** The tasks and batches of other queues that an explanation may name. Tasks with the same key are of the same queue. */
export const idsIn = ({ reasons }: Explanation): string[] =>
  reasons.flatMap((reason) => {
    if (reason.because === 'prerequisites') return reason.blockers.map(({ id }) => id);
    return reason.because === 'job' ? reason.taskId : [];
  });

/** Of these tasks and batches, only their state. */
export function withoutIds(explanation: Explanation, hidden: ReadonlySet<string>): object {
  if (hidden.size === 0) return explanation;
  return {
    ...explanation,
    reasons: explanation.reasons.map((reason) => {
      if (reason.because === 'job') return hidden.has(reason.taskId) ? without(reason) : reason;
      if (reason.because !== 'prerequisites') return reason;
      return { ...reason, blockers: reason.blockers.map((one) => (hidden.has(one.id) ? { state: one.state } : one)) };
    }),
  };
}

const without = ({ because, state }: { readonly because: 'job'; readonly state: string }): object => ({
  because,
  state,
});
