import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import type { BatchEvent } from '../../domain/batch/batch.events.js';
import type { ErasedKind } from '../../domain/erased-by.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { batchRow } from '../../projections/kernel/rows/batch-row.js';
import { CONTENT_COLUMNS, TASK_COLUMNS, type TaskRow, taskRow } from '../../projections/kernel/rows/task-row.js';
import { FORBIDS } from './legal-holds.js';

/** What the row of an aggregate has of the private halves of these events. */
export type RowOf = (id: string, history: readonly RecordedEvent[]) => object;

/** The row of a kind of aggregate that can be erased. */
interface Erasable {
  /** Those of the ids ($1) that a legal hold covers. */
  readonly heldBack: string;
  readonly rowOf: RowOf;
  /** Write rows ($1, as `rowOf` gives them). */
  readonly writes: readonly string[];
}

export const ERASABLE: { readonly [K in ErasedKind]: Erasable } = {
  task: {
    heldBack: `select t.task_id as id from known_tasks t where t.task_id = any ($1::uuid[]) and ${FORBIDS('t.labels')}`,
    rowOf: (id, history) => {
      const events = history.map((one) => ({ ...one, position: String(one.position), event: one.event as TaskEvent }));
      return { id, ...contentsOf(taskRow(id, events)!) };
    },
    writes: ['tasks', 'tasks_archive'].map(
      (table) => `update ${table} t set ${CONTENT_COLUMNS.map(written).join(', ')}
    from jsonb_to_recordset($1) as r(id uuid, ${CONTENT_COLUMNS.map((column) => `${column} text`).join(', ')}) where t.task_id = r.id`,
    ),
  },
  batch: {
    heldBack: `select b.id from batches b where b.id = any ($1::uuid[]) and ${FORBIDS('b.labels')}`,
    rowOf: (id, history) => {
      const { name, error } = batchRow(history.map(({ event }) => event as BatchEvent))!;
      return { id, name, error };
    },
    writes: [
      `update batches b set name = r.name, description = null, labels = null, report_to = null, error = r.error
    from jsonb_to_recordset($1) as r(id uuid, name text, error text) where b.id = r.id`,
    ],
  },
};

const contentsOf = (row: TaskRow): object => Object.fromEntries(CONTENT_COLUMNS.map((column) => [column, row[column]]));

function written(column: (typeof CONTENT_COLUMNS)[number]): string {
  return `${column} = r.${column}::${TASK_COLUMNS[column].replace('?', '')}`;
}
