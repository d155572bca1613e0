import { Injectable } from '@nestjs/common';
import { PostgresPool } from '../persistence/postgres-pool.js';

/** How long a repeat of the same request is recognised. */
const LIVES = [
  { table: 'idempotency_keys', key: '(key, item)', columns: 'key, item', life: '24 hours' },
  { table: 'claims', key: 'claim_id', columns: 'claim_id', life: '24 hours' },
] as const;

/** Rows that a statement deletes at most, so that it never holds many locks or a long transaction. */
export const OLD_ROWS_BATCH = 1_000;

/** The rows by which repeated requests are recognised, which nobody needs for ever. */
@Injectable()
export class OldRows {
  constructor(private readonly pool: PostgresPool) {}

  /** Deletes a batch of each kind; true where there may be more. */
  async deleteSome(): Promise<boolean> {
    let more = false;
    for (const { table, key, columns, life } of LIVES) {
      const { rowCount } = await this.pool.query(
        `delete from ${table} where ${key} in (select ${columns} from ${table}
           where created_at < now() - interval '${life}' order by created_at limit ${OLD_ROWS_BATCH})`,
      );
      more ||= rowCount === OLD_ROWS_BATCH;
    }
    return more;
  }
}
