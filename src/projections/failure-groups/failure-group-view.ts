import type { FailureGroupStatus } from '../../domain/failure-group/failure-group.events.js';
import type { TaskError } from '../../domain/task/task.events.js';
import { groupTitle } from './group-title.js';
import type { GroupRow, Said } from './failure-group-rows.js';
import type { ErrorsOfGroup } from './failure-texts.js';
import type { Preceded } from './what-preceded.js';

/** Failures of the same cause, as lists show them. */
export interface FailureGroupSummary {
  readonly id: string;
  readonly state: FailureGroupStatus;
  readonly class: TaskError['class'];
  /** The newest message; null if it was erased, or cannot be read. */
  readonly message: string | null;
  /** The newest message that can be read, without what differs from one task to the next; null if none can. */
  readonly title: string | null;
  /** How often a task failed like this, or had to wait for a decision. */
  readonly failedTasks: number;
  /** How many tasks are failed with it now, or wait for a decision: at most `MOST_FAILED_NOW`. Null as of a moment. */
  readonly failedNow: number | null;
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

/** How many failures were of one kind, worker or build. */
export interface Share {
  readonly name: string;
  readonly count: number;
}

/** How often a group was seen in the hour or minute that began then. */
export interface FailuresAt {
  readonly at: string;
  readonly failedTasks: number;
  readonly failedAttempts: number;
}

/** A task that failed like this last. */
export interface FailureExample {
  readonly task: string;
  readonly queue: string;
  readonly kind: string;
}

export interface FailureGroupView extends FailureGroupSummary {
  /** Where the newest error was thrown, if its stack says so. */
  readonly frame: string | null;
  /** What was said of the group last; null if nothing was, or it came back since. */
  readonly said: SaidOfGroup | null;
  /** What repaired it last. */
  readonly lastRepair: RepairOfGroup | null;
  /** When it came back last after it was resolved. */
  readonly returned: { readonly at: string; readonly task: string; readonly queue: string } | null;
  /** The hours in which it was seen, the newest first. */
  readonly hours: readonly FailuresAt[];
  /** The minutes in which it was seen, the newest first; null if there are too many of them, or too many failures. */
  readonly minutes: readonly FailuresAt[] | null;
  /** The newest tasks of which this is the last failure, the newest first. */
  readonly examples: readonly FailureExample[];
  /** The kinds of the tasks that failed like this, of the newest 1,000. */
  readonly kinds: readonly Share[];
  /** The workers whose attempts failed like this most often, and how many there are. */
  readonly workers: readonly Share[];
  readonly workerCount: number;
  /** The builds that these workers ran while they failed, the newest first. */
  readonly builds: readonly string[];
  /** What changed before it began, or before it came back. */
  readonly preceded: Preceded;
}

export const MOST_HOURS = 168;
/** A group that was seen for longer is told by the hour alone. */
export const MOST_MINUTES = 180;
export const MOST_SHARES = 20;
export const MOST_TASKS = 1_000;
export const MOST_EXAMPLES = 5;

export const summaryOf = (row: GroupRow, { newest, others }: ErrorsOfGroup): FailureGroupSummary => ({
  id: row.group,
  state: row.state,
  class: row.class,
  message: newest?.message ?? null,
  title: titleOf(newest, [...(row.messages ?? []), ...messagesIn(others)]),
  failedTasks: row.tasks,
  failedNow: row.failedNow,
  failedAttempts: row.attempts,
  firstSeenAt: row.firstSeenAt.toISOString(),
  lastSeenAt: row.lastSeenAt.toISOString(),
  queues: row.queues,
  returns: row.returns,
  lastTask: row.lastTask,
});

function titleOf(newest: TaskError | null, others: readonly string[]): string | null {
  const message = newest?.message ?? others[0];
  return message === undefined ? null : groupTitle(message, others);
}

const messagesIn = (errors: readonly (TaskError | null)[]): readonly string[] =>
  errors.flatMap((error) => error?.message ?? []);

/** Null if nobody has, or the group came back since. */
export const saidOf = (said: Said | null): SaidOfGroup | null =>
  said?.by === undefined ? null : { by: said.by, at: said.at, reason: said.reason ?? null };

export function repairOf(repair: Said | null): RepairOfGroup | null {
  const said = saidOf(repair);
  return said && { ...said, build: repair?.build ?? null, operation: repair?.operation ?? null };
}
