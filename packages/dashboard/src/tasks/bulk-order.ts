import type { TaskSelection } from '@waybill/client';
import type { BulkCommand } from './bulk-commands.js';
import type { BulkOptions } from './bulk-text.js';
import { filterOf, type ListedTasks } from './listed-tasks.js';
import { type Pace, paceOf } from './pace-fields.js';

/** The most tasks that a command takes by their ids. */
const MOST_IDS = 500;

/** The tasks that somebody has chosen by their ids, or all that a list has; a list without a search has all tasks. */
export function selectionOf(listed: ListedTasks, chosen: readonly string[] | 'all'): TaskSelection {
  if (chosen !== 'all') return { tasks: chosen.slice(0, MOST_IDS) };
  const { internal: _, sort: __, ...filter } = filterOf(listed);
  return Object.keys(filter).length === 0 ? { all: true } : { filter };
}

export interface TypedOrder {
  readonly reason: string;
  readonly priority: string;
  readonly pace: Pace;
}

/** What somebody typed for a command; what goes on at a pace are only tasks that are found. */
export const optionsOf = (
  { hasPriority = false }: Pick<BulkCommand, 'hasPriority'>,
  selection: TaskSelection,
  { reason, priority, pace }: TypedOrder,
): BulkOptions => ({
  reason: reason.trim() || undefined,
  ...(hasPriority && { priority: Number(priority) }),
  ...('filter' in selection && paceOf(pace)),
});
