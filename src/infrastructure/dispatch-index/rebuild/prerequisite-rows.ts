import { changedPrerequisites, idOf, ignoresAbort } from '../../../domain/task/prerequisites.js';
import type { Prerequisite } from '../../../domain/task/task.events.js';
import type { PostgresConnection } from '../../database/postgres-pool.js';
import { statement } from '../../database/sql.js';
import type { LoggedTaskEvent } from '../../../projections/kernel/rows/task-row.js';

/** A row of `prerequisites`, which is open until its state is derived. */
export interface PrerequisiteRow {
  readonly task_id: string;
  readonly needs: string;
  readonly ignore: boolean;
}

/** What a task waits for after its whole history. */
export function prerequisiteRows(taskId: string, history: readonly LoggedTaskEvent[]): readonly PrerequisiteRow[] {
  let after: readonly Prerequisite[] = NOTHING;
  for (const { event } of history) {
    if (event.type === 'TaskPrerequisitesChanged')
      after = changedPrerequisites(after, event.data.added, event.data.waived);
    else if ('after' in event.data) after = changedPrerequisites(after, event.data.after!, []);
  }
  return after.map((one) => ({ task_id: taskId, needs: idOf(one), ignore: ignoresAbort(one) }));
}

const NOTHING: readonly Prerequisite[] = [];

const INSERT = statement<{ readonly rows: string }>(
  'waybill_insert_prerequisites',
  `insert into prerequisites (task_id, needs, ignore, closed)
    select task_id, needs, ignore, false from jsonb_to_recordset(:rows::jsonb) as r(task_id uuid, needs uuid, ignore boolean)`,
);

/** Inserts rows that do not exist yet. */
export async function insertPrerequisites(
  connection: PostgresConnection,
  rows: readonly PrerequisiteRow[],
): Promise<void> {
  await connection.query(INSERT.with({ rows: JSON.stringify(rows) }));
}
