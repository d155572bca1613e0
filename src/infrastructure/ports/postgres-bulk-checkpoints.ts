import { Injectable } from '@nestjs/common';
import { type BulkCheckpoint, BulkCheckpoints } from '../../application/bulk-operations/bulk-checkpoints.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

const SAVE = `
insert into bulk_checkpoints as c (task_id, token, checkpoint) values ($1, $2, $3)
  on conflict (task_id) do update set token = excluded.token, checkpoint = excluded.checkpoint, saved_at = now()
    where c.token <= excluded.token`;

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

  async save(operation: string, fencingToken: string, checkpoint: BulkCheckpoint): Promise<boolean> {
    const { rowCount } = await this.pool.query(SAVE, [operation, fencingToken, JSON.stringify(checkpoint)]);
    return rowCount === 1;
  }
}
