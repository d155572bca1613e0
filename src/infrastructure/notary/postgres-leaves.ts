import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { type LogLeaf, LogLeaves } from './log-leaves.port.js';

const AFTER = statement<{ after: string; limit: number }>(
  'waybill_leaves_after',
  `select s.position + s.n - 1 as position, waybill_leaf(s) as text from segments s
   where s.position > :after order by s.position limit :limit`,
);

/** Of the segments in Postgres. */
export class PostgresLeaves extends LogLeaves {
  constructor(private readonly pool: Pick<PostgresPool, 'query'>) {
    super();
  }

  async after(position: bigint, limit: number): Promise<readonly LogLeaf[]> {
    const asked = AFTER.with({ after: String(position), limit });
    const { rows } = await this.pool.query<{ position: string; text: string }>(asked);
    return rows.map((row) => ({ position: BigInt(row.position), text: row.text }));
  }
}
