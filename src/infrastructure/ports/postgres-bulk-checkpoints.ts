import { Injectable } from '@nestjs/common';
import {
  type BulkCheckpoint,
  BulkCheckpoints,
  type TakenTasks,
} from '../../application/bulk-operations/bulk-checkpoints.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

const SAVE = `
with saved as (
  insert into bulk_checkpoints as c (task_id, token, checkpoint) values ($1, $2, $3)
    on conflict (task_id) do update set token = excluded.token, checkpoint = excluded.checkpoint, saved_at = now()
      where c.token <= excluded.token
    returning 1),
kept as (
  insert into operation_tasks (operation, page, tasks) select $1, $4, $5::uuid[] from saved where cardinality($5::uuid[]) > 0
    on conflict do nothing)
select 1 from saved`;

@Injectable()
export class PostgresBulkCheckpoints extends BulkCheckpoints {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async last(operation: string): Promise<BulkCheckpoint | null> {
    const { rows } = await this.pool.query<{ readonly checkpoint: BulkCheckpoint }>(
      'select checkpoint from bulk_checkpoints where task_id = $1',
      [operation],
    );
    return rows[0]?.checkpoint ?? null;
  }

  async save(
    operation: string,
    fencingToken: string,
    checkpoint: BulkCheckpoint,
    taken: TakenTasks | null,
  ): Promise<boolean> {
    const { page = null, tasks = null } = taken ?? {};
    const { rowCount } = await this.pool.query(SAVE, [
      operation,
      fencingToken,
      JSON.stringify(checkpoint),
      page,
      tasks,
    ]);
    return rowCount === 1;
  }
}
