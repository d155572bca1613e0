import type { Prerequisite, TaskStatus } from '../../domain/task/task.events.js';
import type { Moment } from './past.port.js';

/** What other read models need to know of a task as of a moment. */
export interface TaskThen {
  readonly queue: string;
  readonly batch: string | null;
  readonly kind: string;
  readonly reference: string | null;
  readonly description: string | null;
  /** The step that it had completed last. */
  readonly step: string | null;
  readonly state: TaskStatus;
  /** Whether a worker had had it, or somebody had released it. */
  readonly begun: boolean;
  /** What it waited for, done or not. */
  readonly after: readonly Prerequisite[];
}

/** Tasks as they were. */
export abstract class PastTasks {
  /** In the order of the ids; null for what was not there. */
  abstract at(ids: readonly string[], moment: Moment): Promise<readonly (TaskThen | null)[]>;
}
