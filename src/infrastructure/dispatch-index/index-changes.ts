import type { AppendItem } from '../../application/kernel/event-store.port.js';
import { categoryOf } from '../../domain/aggregates.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import { rowChange } from './aggregate-rows.js';
import type { IndexChange } from './changes/index-change.js';
import { taskChange, taskMove } from './changes/task-change.js';

/**
 * The change that an item makes in the index. Tasks have their own rules. A category without rows changes
 * nothing.
 */
export function indexChange(item: AppendItem): IndexChange {
  const category = categoryOf(item.stream);
  if (category === TASK_CATEGORY) return taskChange(item);
  const events = item.events.map(({ event }) => event);
  return rowChange(category, events) ?? NO_CHANGE;
}

/**
 * The change for items that build on each other, or that were checked before. Every change of a task except a claim is
 * then a move.
 */
export function orderedChange(item: AppendItem): Exclude<IndexChange, { readonly kind: 'create' | 'succeed' }> {
  if (item.events.length === 0) return NO_CHANGE;
  const change = indexChange(item);
  return change.kind === 'create' || change.kind === 'succeed' ? { kind: 'move', move: taskMove(item) } : change;
}

const NO_CHANGE = { kind: 'none' } as const;
