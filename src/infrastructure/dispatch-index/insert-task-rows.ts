import type { PostgresConnection } from '../database/postgres-pool.js';
import { RecordArray, RecordType } from '../database/record-parameters.js';
import { statement } from '../database/sql.js';
import { TASK_COLUMNS, type TaskRow } from '../../projections/kernel/rows/task-row.js';

/** JSON goes as text, in which it is already. */
const WRITTEN_AS = {
  uuid: 'uuid',
  text: 'text',
  jsonb: 'text',
  int4: 'int4',
  int8: 'int8',
  bool: 'bool',
  timestamptz: 'timestamptz',
} as const;

const COLUMNS = Object.entries(TASK_COLUMNS).map(([name, type]) => {
  const base = type.replace('?', '') as keyof typeof WRITTEN_AS;
  return { name: name as keyof TaskRow, type: base, writer: WRITTEN_AS[base] };
});

export const TASK_ROW = new RecordType<TaskRow>('waybill_task_row', (to, row) => {
  for (const { name, writer } of COLUMNS) to[writer](row[name] as never);
});

const INSERT = statement<{ readonly rows: Buffer }>(
  'waybill_insert_task_rows',
  `insert into tasks (${COLUMNS.map(({ name }) => name).join(', ')})
    select ${COLUMNS.map(({ name, type }) => (type === 'jsonb' ? `${name}::jsonb` : name)).join(', ')}
    from unnest(:rows::waybill_task_row[])`,
);

const ROW_BYTES = 500;

/**
 * Inserts rows that do not exist yet. They are passed as records, because Postgres took three times as long to read
 * them as JSON.
 */
export async function insertTaskRows(connection: PostgresConnection, rows: readonly TaskRow[]): Promise<void> {
  const records = new RecordArray(TASK_ROW, rows.length, ROW_BYTES);
  for (const row of rows) records.add(row);
  await connection.query(INSERT.with({ rows: records.value() }));
}
