import type { TaskFilter } from '@waybill/client';

/** What a list is of: a search, and what a search has no term for. */
export interface ListedTasks {
  readonly q: string;
  /** Only those past their deadlines. */
  readonly isOverdue?: boolean;
  /** By their deadlines, the nearest first; those without one are left out. */
  readonly isByDeadline?: boolean;
}

/** Without a search, the service's own tasks are left out, as operations leave them out. */
export const filterOf = ({ q, isOverdue, isByDeadline }: ListedTasks): TaskFilter => ({
  ...(q === '' ? { internal: false } : { q }),
  ...(isOverdue && { overdue: true }),
  ...(isByDeadline && { sort: 'deadline' }),
});
