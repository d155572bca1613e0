import { commandsOfPeople, type OperatorCommandType } from '../../application/tasks/offers.js';
import { type ShownOpenTasks, shownOpenTasks } from './open-tasks.js';
import type { TaskExplanation } from '../../projections/task-why/explain-task.query.js';
import type { Blocker } from '../../projections/task-why/why.js';

export interface Explanation extends Omit<TaskExplanation, 'commands' | 'reasons'> {
  readonly reasons: readonly Shown[];
  /** The commands that people can give now, named as in refusals. */
  readonly allowed: readonly OperatorCommandType[];
}

type Reason = TaskExplanation['reasons'][number];
type JobReason = Extract<Reason, { readonly because: 'job' }>;

/** Without its id if the caller does not reach it. */
export interface ShownBlocker extends Partial<Pick<Blocker, 'id'>>, Pick<Blocker, 'state'> {
  readonly open?: readonly ShownOpenTasks[];
}

export type Shown =
  | Exclude<Reason, { readonly because: 'prerequisites' | 'job' }>
  | (Pick<JobReason, 'because' | 'state'> & Partial<Pick<JobReason, 'taskId'>>)
  | { readonly because: 'prerequisites'; readonly count: number; readonly blockers: readonly ShownBlocker[] };

/** What is open of a batch that the task waits for is told with the commands that end it. */
export function shownReason(reason: Reason): Shown {
  if (reason.because !== 'prerequisites') return reason;
  const blockers = reason.blockers.map(({ open = [], ...blocker }) =>
    open.length === 0 ? blocker : { ...blocker, open: open.map(shownOpenTasks) },
  );
  return { ...reason, blockers };
}

/** Why a task is not running, and which commands are possible. */
export function explanationOf({ commands, ...explanation }: TaskExplanation): Explanation {
  const { state, reasons } = explanation;
  const ends = reasons.filter((reason) => reason.because === 'ended');
  const end = { isFinal: ends.some(({ final }) => final), isErased: ends.some(({ erased }) => erased) };
  return {
    ...explanation,
    reasons: reasons.map(shownReason),
    allowed: commandsOfPeople(state, end, { commands }),
  };
}

/** The tasks and batches of other queues that an explanation may name. Tasks with the same key are of the same queue. */
export const idsIn = ({ reasons }: Pick<Explanation, 'reasons'>): string[] =>
  reasons.flatMap((reason) => {
    if (reason.because === 'prerequisites') return reason.blockers.flatMap(({ id }) => id ?? []);
    return reason.because === 'job' ? (reason.taskId ?? []) : [];
  });

/** Of these tasks and batches, only their state. */
export function withoutIds<T extends Pick<Explanation, 'reasons'>>(explanation: T, hidden: ReadonlySet<string>): T {
  if (hidden.size === 0) return explanation;
  const isHidden = (id: string | undefined) => id !== undefined && hidden.has(id);
  return {
    ...explanation,
    reasons: explanation.reasons.map((reason) => {
      if (reason.because === 'job') return isHidden(reason.taskId) ? without(reason) : reason;
      if (reason.because !== 'prerequisites') return reason;
      return { ...reason, blockers: reason.blockers.map((one) => (isHidden(one.id) ? { state: one.state } : one)) };
    }),
  };
}

const without = ({ because, state }: Extract<Shown, { readonly because: 'job' }>): Shown => ({
  because,
  state,
});
