import { accept, alreadyDone, type Decider } from '../kernel/decider.js';
import { taskDecider } from './task.decider.js';
import type { OfAttempt, TaskEvent, TaskEventOf } from './task.events.js';
import type { TaskState } from './task.state.js';

export interface LateReportState {
  readonly task: TaskState;
  /** The claim that runs; null if none does. */
  readonly claim: OfAttempt | null;
  /** The claims that ended without a word of their workers, and of which none has come since. */
  readonly lost: readonly OfAttempt[];
}

/** A worker reports under a claim that has ended. `token`: its number. */
export interface RefuseLateReport {
  readonly token: string;
  /** The report: `succeed`, `fail`, `extend` and so on. */
  readonly report: string;
}

/**
 * Records of each claim that was lost the first report that came after. It reads whole histories, because a plain life
 * must not carry its claims along.
 */
export const lateReportDecider: Decider<LateReportState, RefuseLateReport, TaskEvent, never> = {
  initialState: { task: taskDecider.initialState, claim: null, lost: [] },
  evolve: (state, event) => {
    const task = taskDecider.evolve(state.task, event);
    const lost = lostAfter(event, { ...state, task });
    if (event.type === 'TaskClaimed') return { task, claim: event.data, lost };
    return { task, claim: task.status === 'running' ? state.claim : null, lost };
  },
  decide: ({ token, report }, { lost }) => {
    const claim = lost.find((one) => one.token === token);
    if (!claim) return alreadyDone;
    const { queue, attempt, worker } = claim;
    return accept<TaskEvent>({
      type: 'TaskLateReportRefused',
      version: 1,
      data: { queue, attempt, token, worker, report },
    });
  },
};

/** Whether the event is what this decider records. */
export const isLateReport = (event: TaskEvent): event is TaskEventOf<'TaskLateReportRefused'> =>
  event.type === 'TaskLateReportRefused';

function lostAfter({ type, data }: TaskEvent, { task, claim, lost }: LateReportState): readonly OfAttempt[] {
  if (type === 'TaskLateReportRefused') return lost.filter(({ token }) => token !== data.token);
  if (claim === null || task.status === 'running' || task.status === 'unknown') return lost;
  const { lastSettlement } = task.task;
  const settled = lastSettlement?.token === claim.token && lastSettlement.as !== 'continued';
  return settled ? lost : [...lost, claim];
}
