import type { FailureGroupStatus } from '../../domain/failure-group/failure-group.events.js';
import type { TaskError } from '../../domain/task/task.events.js';
import type { GroupRow, Said } from './failure-group-rows.js';

/** Failures of the same cause, as lists show them. */
export interface FailureGroupSummary {
  readonly id: string;
  readonly state: FailureGroupStatus;
  readonly class: TaskError['class'];
  /** The newest message; null if it was erased, or cannot be read. */
  readonly message: string | null;
  /** How often a task failed like this, or had to wait for a decision. */
  readonly failedTasks: number;
  /** How often an attempt failed like this. */
  readonly failedAttempts: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  /** By name. */
  readonly queues: readonly string[];
  /** How often it came back after it was resolved. */
  readonly returns: number;
  /** The task that failed like this last. */
  readonly lastTask: string;
}

/** Who said what of a group last, when, and why. */
export interface SaidOfGroup {
  readonly by: string;
  readonly at: string;
  readonly reason: string | null;
}

export interface RepairOfGroup extends SaidOfGroup {
  readonly build: string | null;
  readonly operation: string | null;
}

export const summaryOf = (row: GroupRow, message: string | null): FailureGroupSummary => ({
  id: row.group,
  state: row.state,
  class: row.class,
  message,
  failedTasks: row.tasks,
  failedAttempts: row.attempts,
  firstSeenAt: row.firstSeenAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  queues: row.queues,
  returns: row.returns,
  lastTask: row.lastTask,
});

/** Null if nobody has, or the group came back since. */
export const saidOf = (said: Said | null): SaidOfGroup | null =>
  said?.by === undefined ? null : { by: said.by, at: said.at, reason: said.reason ?? null };

export function repairOf(repair: Said | null): RepairOfGroup | null {
  const said = saidOf(repair);
  return said && { ...said, build: repair?.build ?? null, operation: repair?.operation ?? null };
}
