import type { TaskStatus } from '../../domain/task/task.events.js';

/** How many tasks of a queue went from one state to another; `from` is null for those that were not there. */
export interface MovedTasks {
  readonly queue: string;
  readonly from: TaskStatus | null;
  readonly to: TaskStatus;
  readonly tasks: number;
}

/** The most events that one answer folds. */
export const MOST_MOVES_FOLDED = 1_000_000;

/** In which states tasks were at two positions, as the log between them tells. */
export abstract class MovesBetween {
  /**
   * Those whose states differ. Null if more than a million events lie between the positions. `queue`: only its tasks; if
   * undefined, those of all queues but the service's own.
   */
  abstract of(from: bigint, to: bigint, queue?: string): Promise<readonly MovedTasks[] | null>;
}
