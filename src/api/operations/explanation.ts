import { commandsOfPeople, type OperatorCommandType } from '../../application/tasks/offers.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { TaskExplanation } from '../../projections/task-why/explain-task.query.js';

export interface Explanation extends Omit<TaskExplanation, 'commands'> {
  /** The commands that people can give now, named as in refusals. */
  readonly allowed: readonly OperatorCommandType[];
}

/** Why a task is not running, and which commands are possible. */
export function explanationOf({ commands, ...explanation }: TaskExplanation): Explanation {
  const { state, reasons } = explanation;
  const isFinal = reasons.some((reason) => reason.because === 'ended' && reason.final);
  return { ...explanation, allowed: commandsOfPeople(state as TaskStatus, isFinal, { commands }) };
}
