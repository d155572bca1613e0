import { OPEN_STATUSES, type TaskStatus } from '../../domain/task/task.events.js';
import type { Moment } from './past.port.js';

/** The states of tasks that somebody still has to deal with. */
export const STANDING = [...OPEN_STATUSES, 'failed'] as const;
export type StandingState = (typeof STANDING)[number];

export const isStanding = (state: TaskStatus): state is StandingState =>
  (STANDING as readonly TaskStatus[]).includes(state);

export interface StandingTasks {
  /** Undefined: of all queues. */
  readonly queue?: string;
  readonly state: StandingState;
}

export type StateCounts = Readonly<Partial<Record<TaskStatus, number>>>;

/** Which tasks were in which state at a moment. Each question throws `HistoryNotReady`. */
export abstract class StatesThen {
  /** How many of the queue's tasks were in each state; none if a state is missing. */
  abstract countsOf(queue: string, moment: Moment): Promise<StateCounts>;

  /** The ids of the tasks in the state, ascending. By the rows and the log: a task that can no longer be read may be among them. */
  abstract idsIn(tasks: StandingTasks, moment: Moment): Promise<readonly string[]>;
}
