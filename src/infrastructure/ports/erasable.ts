import type { RecordedEvent } from '../../application/kernel/event-store.port.js';
import type { BatchEvent } from '../../domain/batch/batch.events.js';
import { type ErasedKind, ERASED_KINDS } from '../../domain/erased-by.js';
import type { TaskEvent } from '../../domain/task/task.events.js';
import { batchRow } from '../../projections/kernel/rows/batch-row.js';
import { CONTENT_COLUMNS, TASK_COLUMNS, taskRow } from '../../projections/kernel/rows/task-row.js';
import { isHeldBack } from './legal-holds.js';

/** The rows of a kind of aggregate that can be erased. */
interface Erasable {
  /** The first one has those that are not archived. */
  readonly tables: readonly string[];
  /** The column of the aggregate's id. */
  readonly id: string;
  /** The columns with contents, and their types. */
  readonly contents: Readonly<Record<string, string>>;
  /** A row as its events tell. */
  readonly rowOf: (id: string, history: readonly RecordedEvent[]) => object | null;
}

export const ERASABLE: { readonly [K in ErasedKind]: Erasable } = {
  task: {
    tables: ['tasks', 'tasks_archive'],
    id: 'task_id',
    contents: Object.fromEntries(CONTENT_COLUMNS.map((column) => [column, TASK_COLUMNS[column].replace('?', '')])),
    rowOf: (id, history) =>
      taskRow(
        id,
        history.map((one) => ({ ...one, position: String(one.position), event: one.event as TaskEvent })),
      ),
  },
  batch: {
    tables: ['batches'],
    id: 'id',
    contents: { name: 'text', description: 'text', labels: 'jsonb', report_to: 'jsonb', error: 'text' },
    rowOf: (_, history) => batchRow(history.map(({ event }) => event as BatchEvent)),
  },
};

/** What rows have of the contents of an aggregate with this history. */
export function contentsOf(kind: ErasedKind, id: string, history: readonly RecordedEvent[]): object {
  const { contents, rowOf } = ERASABLE[kind];
  const row = rowOf(id, history) as Readonly<Record<string, unknown>>;
  return { id, ...Object.fromEntries(Object.keys(contents).map((column) => [column, row[column]])) };
}

/** Those of the ids ($1) that a legal hold covers. */
export function heldBackOf(kind: ErasedKind): string {
  const { tables, id } = ERASABLE[kind];
  const held = (table: string): string =>
    `select t.${id} as id from ${table} t where t.${id} = any ($1::uuid[]) and ${isHeldBack('t.labels')}`;
  return tables.map(held).join(' union all ');
}

/** Write the contents of rows ($1, as `contentsOf` gives them). */
export function writesOf(kind: ErasedKind): readonly string[] {
  const { tables, id, contents } = ERASABLE[kind];
  const columns = Object.keys(contents);
  return tables.map(
    (
      table,
    ) => `update ${table} t set ${columns.map((column) => `${column} = r.${column}::${contents[column]}`).join(', ')}
    from jsonb_to_recordset($1) as r(id uuid, ${columns.map((column) => `${column} text`).join(', ')}) where t.${id} = r.id`,
  );
}

/** The tables with what workers reported besides events. */
export const REPORTED = ['task_progress', 'task_log'] as const;

/** The tables with contents. Postgres keeps samples of up to 30,000 rows of each (`pg_statistic`), and draws new ones some time, or never. */
export const SAMPLED: readonly string[] = [
  ...ERASED_KINDS.flatMap((kind) => ERASABLE[kind].tables),
  'segments',
  'ready',
  'waiting',
  'paces',
  'turns',
  'key_slots',
  'key_failures',
  ...REPORTED,
  'waybill_outbox',
  'quarantined',
  'failing_items',
  'delivery_targets',
  'events_put_aside',
  'reservations',
  'open_histories',
  'ended_histories',
];
