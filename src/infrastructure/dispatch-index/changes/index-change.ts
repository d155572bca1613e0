import type {
  Prerequisite,
  Submission,
  TaskClaimed,
  TaskEnqueued,
  TaskStatus,
  TaskSucceeded,
} from '../../../domain/task/task.events.js';
import type { AggregateModel } from '../../../projections/kernel/aggregate-models.js';
import type { Row } from '../../../projections/kernel/row.js';
import type { TaskRow } from '../../../projections/kernel/rows/task-row.js';
import type { ChangedColumns } from '../../../projections/kernel/rows/task-row-change.js';
import type { Guards } from '../guards.js';

/**
 * What an item's events change in the dispatch index and in the rows that are written with it. Enqueue, claim and
 * success each have a fast path in SQL that handles many items at once. Every other change is a move, applied item by
 * item.
 */
export type IndexChange =
  | { readonly kind: 'create'; readonly data: TaskEnqueued['data'] }
  | { readonly kind: 'claim'; readonly data: TaskClaimed['data'] }
  | { readonly kind: 'succeed'; readonly data: TaskSucceeded['data']; readonly secret: string }
  | { readonly kind: 'move'; readonly move: TaskMove }
  | RowChange
  | { readonly kind: 'none' };

/** The change of an aggregate with one row in the index: the columns that its events write. */
export interface RowChange {
  readonly kind: 'row';
  readonly table: Exclude<AggregateModel, 'tasks'>;
  readonly row: Row;
}

/** One task's move: its columns are those of the SQL type `waybill_move` (`MOVE`). */
export interface TaskMove {
  /** Null if the task keeps its state. */
  readonly state: TaskStatus | null;
  /** Whether the task changes its place in the index. */
  readonly moved: boolean;
  readonly patch: TaskPatch;
  /** The task has been released or claimed, or retried at a step: it enters its first step, if it has steps. */
  readonly enters: boolean;
  /** The task has been released, whether or not it has steps. */
  readonly released: boolean;
  /** A person or the policy retries the task. */
  readonly retried: boolean;
  /** The task takes its place in line with the event that is so far before the last one, in positions. Null if it keeps its place. */
  readonly placed: number | null;
  /** A shutdown stopped the task. */
  readonly stopped: boolean;
  /** The hold that caught the task. */
  readonly hold: string | null;
  /** What the task waits for in addition, and the ids of what it need not wait for any more. */
  readonly after: PrerequisiteChange | null;
  /** Whether an attempt failed, whatever follows for the task. */
  readonly attempt_failed: boolean;
  /** Whether the task has failed, and whether it is done. Null if it is as before. */
  readonly failed: boolean | null;
  readonly finished: boolean | null;
  /** Null unless the task is new. */
  readonly created: CreatedRow | null;
  /** The new task runs a failed one again, whose reference it has. */
  readonly rerun: boolean;
  /** What must hold in its turn. */
  readonly guards: Guards | null;
  /** The first claim of a task that begins with it. */
  readonly start: TaskStart | null;
  /** The worker must learn of the cancellation. */
  readonly cancel: boolean;
}

/** The columns of `tasks` that a move writes. */
export type TaskPatch = Partial<
  Omit<TaskRow, keyof ChangedColumns> & ChangedColumns & { readonly token: string; readonly lease: string }
>;

export type CreatedRow = Pick<
  Submission,
  'queue' | 'kind' | 'key' | 'reference' | 'labels' | 'description' | 'needs' | 'batch'
>;

type TaskStart = TaskClaimed['data'] & { readonly secret?: string; readonly holder?: string };

/** A pending task that takes a place in line. */
export const PLACED: Omit<TaskMove, 'patch'> = {
  state: 'pending',
  moved: true,
  enters: false,
  released: false,
  retried: false,
  placed: null,
  stopped: false,
  hold: null,
  after: null,
  attempt_failed: false,
  failed: null,
  finished: null,
  created: null,
  rerun: false,
  guards: null,
  start: null,
  cancel: false,
};

export interface PrerequisiteChange {
  readonly add: readonly Prerequisite[];
  readonly waive: readonly string[];
  /** Whose it is: what the looks for cycles of one request may visit is limited. */
  readonly request: string;
}
