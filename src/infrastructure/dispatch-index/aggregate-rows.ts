import type { Category } from '../../domain/aggregates.js';
import type { DomainEvent } from '../../domain/kernel/decider.js';
import type { QueueEvent } from '../../domain/queue/queue.events.js';
import { queueStream } from '../../domain/queue/queue.stream.js';
import { streamKey } from '../database/stream-key.js';
import { MODEL_OF } from '../../projections/kernel/aggregate-models.js';
import { batchRow } from '../../projections/kernel/rows/batch-row.js';
import { holdRow } from '../../projections/kernel/rows/hold-row.js';
import type { RowChange } from './changes/index-change.js';
import type { Row } from '../../projections/kernel/row.js';
import { queueRow } from '../../projections/kernel/rows/queue-row.js';
import { resourceRow } from '../../projections/kernel/rows/resource-row.js';
import { systemRow } from '../../projections/kernel/rows/system-row.js';
import { triggerRow } from '../../projections/kernel/rows/trigger-row.js';
import { viewRow } from '../../projections/kernel/rows/view-row.js';

const withId = (events: readonly QueueEvent[]): Row => ({
  id: streamKey(queueStream(events[0]!.data.queue)).id,
  ...queueRow(events),
});

interface AggregateRow {
  /** The column that names the stream. */
  readonly key: 'id' | 'name';
  /** Columns that change without events of the stream; those of triggers only from one time to another. */
  readonly moving: readonly string[];
  /** The columns that events of the stream write; null if they write none. */
  readonly row: (events: readonly never[]) => RowChange['row'] | null;
}

/** What a batch's row says of its tasks (`recount`), and whether to look for tasks to report. */
const OF_TASKS = 'total open succeeded failed aborted deleted task_ended plan_ended awaited'.split(' ');

/** The categories of which the index keeps rows by these rules. Those of tasks have their own. */
type Kept = { readonly [C in Category]: (typeof MODEL_OF)[C] extends null | 'tasks' ? never : C }[Category];

/** The row that the index keeps of each aggregate that has a model. */
export const ROWS: { readonly [C in Kept]: AggregateRow } = {
  queue: { key: 'name', moving: ['failure_streak', 'failure_task'], row: withId },
  trigger: { key: 'name', moving: ['next_at', 'retry_at'], row: triggerRow },
  hold: { key: 'name', moving: [], row: holdRow },
  resource: { key: 'name', moving: [], row: resourceRow },
  system: { key: 'name', moving: [], row: systemRow },
  batch: { key: 'id', moving: OF_TASKS, row: batchRow },
  view: { key: 'name', moving: [], row: viewRow },
};

interface RowTable extends AggregateRow {
  readonly table: RowChange['table'];
}

const TABLES: ReadonlyMap<string, RowTable> = new Map(
  (Object.keys(ROWS) as Kept[]).map((category) => [category, { table: MODEL_OF[category], ...ROWS[category] }]),
);

/** The table of the category's rows; undefined if the index keeps no rows of it by these rules. */
export const rowTable = (category: string): RowTable | undefined => TABLES.get(category);

export const ROW_CATEGORIES: readonly string[] = [...TABLES.keys()];

/** Null if the category keeps no rows, or the events change none. */
export function rowChange(category: string, events: readonly DomainEvent[]): RowChange | null {
  const kept = rowTable(category);
  const row = kept?.row(events as readonly never[]);
  return kept && row ? { kind: 'row', table: kept.table, row } : null;
}
