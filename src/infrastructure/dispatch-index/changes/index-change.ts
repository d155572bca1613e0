import type { Prerequisite, TaskClaimed, TaskEnqueued, TaskSucceeded } from '../../../domain/task/task.events.js';
import type { AggregateModel } from '../../../projections/kernel/aggregate-models.js';
import type { Row } from '../../../projections/kernel/row.js';

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

/** One task's move, in the form that the SQL function `waybill_move` reads. */
export interface TaskMove {
  readonly state?: string;
  /** Whether the task changes its place in the index. */
  readonly moved?: true;
  readonly patch: Readonly<Record<string, unknown>>;
  /** The task has been released or claimed, or retried at a step: it enters its first step, if it has steps. */
  readonly enters?: true;
  /** The task has been released, whether or not it has steps. */
  readonly released?: true;
  /** A person or the policy retries the task. */
  readonly retried?: true;
  /** The task takes its place in line with the event that is so far before the last one, in positions. */
  readonly placed?: number;
  /** A shutdown stopped the task. */
  readonly stopped?: true;
  /** The hold that caught the task. */
  readonly hold?: string;
  /** What the task waits for in addition, and the ids of what it need not wait for any more. */
  readonly after?: PrerequisiteChange;
  /** Whether an attempt failed, whatever follows for the task. */
  readonly attemptFailed?: true;
  readonly failed?: boolean;
  readonly finished?: boolean;
  readonly create?: Readonly<Record<string, unknown>>;
  /** The new task runs a failed one again, whose reference it has. */
  readonly rerun?: true;
  readonly lease?: Readonly<Record<string, unknown>>;
  /** Another task must not use this key. */
  readonly keyFree?: Readonly<Record<string, unknown>>;
  /** No hold may catch a task with these labels. */
  readonly notHeld?: Readonly<Record<string, string>>;
  /** The first claim of a task that begins with it. */
  readonly start?: Readonly<Record<string, unknown>>;
  /** The worker must learn of the cancellation. */
  readonly cancel?: true;
}

export interface PrerequisiteChange {
  readonly add: readonly Prerequisite[];
  readonly waive: readonly string[];
  /** Whose it is: what the looks for cycles of one request may visit is limited. */
  readonly request: string;
}
