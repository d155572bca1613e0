import type { TaskClaimed, TaskEnqueued, TaskSucceeded } from '../../../domain/task/task.events.js';

/**
 * What an item's events do to the dispatch index and to the rows that are written with them. The three steps of a plain
 * life have a path of their own, set-based in SQL; everything else is a move, item by item.
 */
export type IndexChange =
  | { readonly kind: 'create'; readonly data: TaskEnqueued['data'] }
  | { readonly kind: 'claim'; readonly data: TaskClaimed['data'] }
  | { readonly kind: 'succeed'; readonly data: TaskSucceeded['data']; readonly secret: string }
  | { readonly kind: 'move'; readonly move: TaskMove }
  | RowChange
  | { readonly kind: 'none' };

/** An aggregate that the index knows by one row: the columns that its events write. */
export interface RowChange {
  readonly kind: 'row';
  readonly table: 'queues';
  readonly row: Readonly<Record<string, unknown>>;
}

/** One task's move as the SQL function `waybill_move` reads it. */
export interface TaskMove {
  readonly state?: string;
  /** The task's place in the index changes. */
  readonly moved?: true;
  readonly patch: Readonly<Record<string, unknown>>;
  /** An attempt failed, whatever follows for the task. */
  readonly attemptFailed?: true;
  readonly failed?: boolean;
  readonly finished?: boolean;
  readonly create?: Readonly<Record<string, unknown>>;
  readonly lease?: Readonly<Record<string, unknown>>;
  /** The token whose lease ends. */
  readonly release?: string;
  /** The token of the claim whose worker must learn of the cancellation. */
  readonly cancel?: string;
}
