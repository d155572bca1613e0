import type { AppendItem } from '../../application/kernel/event-store.port.js';
import { type Category, categoryOf } from '../../domain/events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import type { IndexChange, RowChange } from './changes/index-change.js';
import { queueChange } from './changes/queue-change.js';
import { taskChange, taskMove } from './changes/task-change.js';

/** The aggregates that the index knows by one row each, made of all their events in their order. */
const ROWS: { readonly [C in Category]?: (events: readonly never[]) => RowChange } = {
  [QUEUE_CATEGORY]: queueChange,
};

/** Tasks change the index in ways of their own. A category that is neither in `ROWS` nor a task's leaves it as it is. */
export function indexChange(item: AppendItem): IndexChange {
  const category = categoryOf(item.stream);
  if (category === TASK_CATEGORY) return taskChange(item);
  const events = item.events.map(({ event }) => event);
  return rowChange(category, events) ?? NO_CHANGE;
}

/** The same where each item meets what those before it did, or nothing is left to check: every step of a task but a claim is a move. */
export function orderedChange(item: AppendItem): Exclude<IndexChange, { readonly kind: 'create' | 'succeed' }> {
  if (item.events.length === 0) return NO_CHANGE;
  const change = indexChange(item);
  return change.kind === 'create' || change.kind === 'succeed' ? { kind: 'move', move: taskMove(item) } : change;
}

export const ROW_CATEGORIES: readonly string[] = Object.keys(ROWS);

/** Null where the category keeps no rows. */
export function rowChange(category: string, events: readonly DomainEvent[]): RowChange | null {
  const change = ROWS[category as Category];
  return change ? change(events as readonly never[]) : null;
}

const NO_CHANGE = { kind: 'none' } as const;
