import type { Search } from '../../domain/search/term.js';
import type { TaskStatus } from '../../domain/task/task.events.js';
import type { OfService } from '../kernel/internal-queues.js';
import type { AsOf } from '../kernel/past.port.js';

/** What a version of a queue's policy decided, from one time up to, but without, another. */
export interface Decided {
  readonly queue?: string;
  readonly policyVersion?: number;
  readonly decidedSince?: AsOf;
  readonly decidedUntil?: AsOf;
}

/** `deadline`: only tasks with a deadline, the earliest first. `newest`: by id, the greatest first. */
export const TASK_ORDERS = ['deadline', 'newest'] as const;
export type TaskOrder = (typeof TASK_ORDERS)[number];

/** A task must match every given field. */
export interface TaskFilter extends OfService, Decided {
  readonly queue?: string;
  readonly state?: TaskStatus;
  readonly key?: string;
  readonly reference?: string;
  readonly kind?: string;
  readonly label?: { readonly name: string; readonly value: string };
  readonly worker?: string;
  /** The step that the task is in. */
  readonly step?: string;
  readonly batch?: string;
  /** The id of the group of failures in which the task failed last. */
  readonly group?: string;
  /** True: only open tasks whose deadline has passed. */
  readonly overdue?: boolean;
  readonly sort?: TaskOrder;
  /** What else must match. */
  readonly search?: Search;
}
