import { commandsOfPeople, type OperatorCommandType } from '../../application/tasks/offers.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { TaskExplanation } from '../../projections/task-why/explain-task.query.js';

export interface Explanation extends Omit<TaskExplanation, 'commands'> {
  /** The commands that people can give, as refusals name them. */
  readonly allowed: readonly OperatorCommandType[];
}

/** Why a task is not running, and what can be done about it. */
export function explanationOf({ commands, ...explanation }: TaskExplanation): Explanation {
  const { state, reasons } = explanation;
  const isFinal = reasons.some((reason) => reason.because === 'ended' && reason.final);
  return { ...explanation, allowed: commandsOfPeople(state as TaskStatus, isFinal, { commands }) };
}
