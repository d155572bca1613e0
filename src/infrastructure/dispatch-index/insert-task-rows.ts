import type { PostgresConnection } from '../database/postgres-pool.js';
import { RecordArray, RecordType } from '../database/record-parameters.js';
import { statement } from '../database/sql.js';
import type { TaskRow } from '../../projections/tasks/task-row.js';

export const TASK_ROW = new RecordType<TaskRow>('waybill_task_row', (to, row) => {
  to.uuid(row.task_id);
  to.text(row.queue);
  to.text(row.state);
  to.text(row.kind);
  to.text(row.key);
  to.text(row.reference);
  to.int4(row.priority);
  to.text(row.labels);
  to.text(row.description);
  to.timestamptz(row.due_at);
  to.timestamptz(row.expires_at);
  to.timestamptz(row.deadline_at);
  to.bool(row.missed);
  to.bool(row.overdue);
  to.timestamptz(row.run_until);
  to.timestamptz(row.enqueued_at);
  to.timestamptz(row.started_at);
  to.timestamptz(row.finished_at);
  to.timestamptz(row.failed_at);
  to.timestamptz(row.waiting_since);
  to.int4(row.attempt);
  to.text(row.worker);
  to.text(row.last_step);
  to.text(row.step);
  to.bool(row.entered);
  to.int4(row.retries);
  to.text(row.error);
  to.text(row.error_class);
  to.int8(row.seq);
  to.int8(row.position);
  to.int4(row.revision);
  to.uuid(row.batch);
  to.bool(row.stopped);
  to.text(row.hold);
  to.text(row.rare_state);
  to.int8(row.place);
});

const NAMES = [...TASK_ROW.columns.keys()];

const INSERT = statement<{ readonly rows: Buffer }>(
  'waybill_insert_task_rows',
  `insert into tasks (${NAMES.join(', ')})
    select ${NAMES.map((name) => (name === 'labels' ? 'labels::jsonb' : name)).join(', ')}
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
