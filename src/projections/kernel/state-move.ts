import {
  type Moves,
  type MovingTaskEventType,
  TASK_EVENTS,
  type TaskEvent,
  type TaskStatus,
} from '../../domain/task/task.events.js';

/** A task's change from one state to another; `from` is null for a new task. */
export interface StateMove {
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
}

/**
 * The states between which the event moves its task, derived from the event alone; null if the state stays the same.
 */
export function stateMove({ type, data }: TaskEvent): StateMove | null {
  const moves = MOVES.get(type);
  if (moves === undefined) return null;
  const { from, to } = moves;
  const next = typeof to === 'function' ? to(data as never) : to;
  return next && { from: typeof from === 'function' ? from(data as never) : from, to: next };
}

/** Whether events of the type may move a task. Their data says whether they do. */
export const mayMove = (type: string): boolean => MOVES.has(type);

const MOVES: ReadonlyMap<string, Moves> = new Map(
  Object.entries(TASK_EVENTS).flatMap(([type, declared]) => ('moves' in declared ? [[type, declared.moves]] : [])),
);

/** The types of event that can take a task out of more than one state. */
export const LEAVING_SEVERAL = [...MOVES].flatMap(([type, { from }]) =>
  typeof from === 'function' ? (type as MovingTaskEventType) : [],
);
