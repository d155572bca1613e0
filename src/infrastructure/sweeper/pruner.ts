import { Injectable } from '@nestjs/common';
import { PostgresPool } from '../database/postgres-pool.js';

/**
 * How long a repeated request is recognised, a worker that stopped asking is remembered, and an interrupted bulk operation
 * can go on where it stopped.
 */
const LIVES = [
  { table: 'idempotency_keys', key: '(key, item)', columns: 'key, item', at: 'created_at', life: '24 hours' },
  { table: 'claims', key: 'claim_id', columns: 'claim_id', at: 'created_at', life: '24 hours' },
  { table: 'worker_presence', key: '(worker, queue)', columns: 'worker, queue', at: 'seen_at', life: '24 hours' },
  { table: 'bulk_checkpoints', key: 'task_id', columns: 'task_id', at: 'saved_at', life: '30 days' },
] as const;

/** The most rows that one statement deletes, to keep its locks few and its transaction short. */
export const OLD_ROWS_BATCH = 1_000;

/**
 * Deletes rows that have served their time: those that recognise repeated requests, those of workers that asked for
 * tasks, and those of bulk operations.
 */
@Injectable()
export class Pruner {
  constructor(private readonly pool: PostgresPool) {}

  /** Deletes a batch of each kind. True if there may be more. */
  async deleteSome(): Promise<boolean> {
    let more = false;
    for (const { table, key, columns, at, life } of LIVES) {
      const { rowCount } = await this.pool.query(
        `delete from ${table} where ${key} in (select ${columns} from ${table}
           where ${at} < now() - interval '${life}' order by ${at} limit ${OLD_ROWS_BATCH})`,
      );
      more ||= rowCount === OLD_ROWS_BATCH;
    }
    return more;
  }
}
