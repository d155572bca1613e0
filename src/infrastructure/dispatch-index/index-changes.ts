import type { AppendItem } from '../../application/kernel/event-store.port.js';
import { BATCH_CATEGORY } from '../../domain/batch/batch.stream.js';
import { type Category, categoryOf } from '../../domain/events.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import { HOLD_CATEGORY } from '../../domain/hold/hold.stream.js';
import { QUEUE_CATEGORY } from '../../domain/queue/queue.stream.js';
import { RESOURCE_CATEGORY } from '../../domain/resource/resource.stream.js';
import { SYSTEM_CATEGORY } from '../../domain/system/system.stream.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import { TRIGGER_CATEGORY } from '../../domain/trigger/trigger.stream.js';
import type { IndexChange, RowChange } from './changes/index-change.js';
import { batchChange } from './changes/batch-change.js';
import { holdChange } from './changes/hold-change.js';
import { queueChange } from './changes/queue-change.js';
import { resourceChange } from './changes/resource-change.js';
import { systemChange } from './changes/system-change.js';
import { taskChange, taskMove } from './changes/task-change.js';
import { triggerChange } from './changes/trigger-change.js';

/** The aggregates that the index knows by one row each. The function computes the row from the aggregate's events. */
const ROWS: { readonly [C in Category]?: (events: readonly never[]) => RowChange | null } = {
  [BATCH_CATEGORY]: batchChange,
  [HOLD_CATEGORY]: holdChange,
  [QUEUE_CATEGORY]: queueChange,
  [RESOURCE_CATEGORY]: resourceChange,
  [SYSTEM_CATEGORY]: systemChange,
  [TRIGGER_CATEGORY]: triggerChange,
};

/**
 * The change that an item makes in the index. Tasks have their own rules. A category that is neither in `ROWS` nor the
 * tasks' changes nothing.
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

/** The tables of these rows. */
export const TABLES: Readonly<Record<string, RowChange['table']>> = {
  [BATCH_CATEGORY]: 'batches',
  [HOLD_CATEGORY]: 'holds',
  [QUEUE_CATEGORY]: 'queues',
  [RESOURCE_CATEGORY]: 'resources',
  [SYSTEM_CATEGORY]: 'system',
  [TRIGGER_CATEGORY]: 'triggers',
} satisfies { [C in Category]?: RowChange['table'] };

export const ROW_CATEGORIES: readonly string[] = Object.keys(ROWS);

/** Null if the category keeps no rows, or the events change none. */
export function rowChange(category: string, events: readonly DomainEvent[]): RowChange | null {
  const change = ROWS[category as Category];
  return change ? change(events as readonly never[]) : null;
}

const NO_CHANGE = { kind: 'none' } as const;
