import { commandsOfPeople, type OperatorCommandType } from '../../application/tasks/offers.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { OpenTasks } from '../../projections/kernel/open-tasks.js';

/** Open tasks of a batch as callers see them. */
export type ShownOpenTasks = Omit<OpenTasks, 'offered'> & {
  /** What people can do so that these tasks end, or go on; named as in refusals. */
  readonly commands: readonly OperatorCommandType[];
};

/** By the state in which tasks are open. */
const WAYS_ON: Partial<Record<TaskStatus, readonly OperatorCommandType[]>> = {
  prepared: ['SubmitTask', 'AbortTask'],
  pending: ['AbortTask'],
  held: ['ReleaseTask', 'AbortTask'],
  running: ['OverruleTask', 'AbortTask'],
  undecided: ['DecideRetry', 'DecideFail'],
  cancelled: ['RetryTask', 'AbortTask'],
};

export function shownOpenTasks({ offered, ...tasks }: OpenTasks): ShownOpenTasks {
  const possible = commandsOfPeople(tasks.state, {}, { commands: offered });
  return { ...tasks, commands: (WAYS_ON[tasks.state] ?? []).filter((command) => possible.includes(command)) };
}
