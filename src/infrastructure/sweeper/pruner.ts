import { Injectable } from '@nestjs/common';
import { PostgresPool } from '../database/postgres-pool.js';

/** How long a repeat of the same request is recognised, and a worker that asks no more is remembered by it. */
const LIVES = [
  { table: 'idempotency_keys', key: '(key, item)', columns: 'key, item', at: 'created_at', life: '24 hours' },
  { table: 'claims', key: 'claim_id', columns: 'claim_id', at: 'created_at', life: '24 hours' },
  { table: 'worker_presence', key: '(worker, queue)', columns: 'worker, queue', at: 'seen_at', life: '24 hours' },
] as const;

/** Rows that a statement deletes at most, so that it never holds many locks or a long transaction. */
export const OLD_ROWS_BATCH = 1_000;

/** Rows that nobody needs for ever: those by which repeated requests are recognised, and who asked for tasks. */
@Injectable()
export class Pruner {
  constructor(private readonly pool: PostgresPool) {}

  /** Deletes a batch of each kind; true where there may be more. */
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
