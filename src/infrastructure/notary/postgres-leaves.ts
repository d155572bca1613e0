import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { checkedLeaf, type SegmentToCheck } from './checked-segment.js';
import { type CheckedLeaf, type LogLeaf, LogLeaves } from './log-leaves.port.js';

const AFTER = statement<{ after: string; limit: number }>(
  'waybill_leaves_after',
  `select s.position + s.n - 1 as position, waybill_leaf(s) as text from segments s
   where s.position > :after order by s.position limit :limit`,
);

const CHECKED = statement<{ after: string; limit: number }>(
  'waybill_checked_leaves_after',
  `select s.position, s.n, s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.prevs::text, s.ids, s.data, s.private, s.salts, s.digest,
     to_char(s.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time
   from segments s where s.position > :after order by s.position limit :limit`,
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

  async checked(position: bigint, limit: number): Promise<readonly CheckedLeaf[]> {
    const asked = CHECKED.with({ after: String(position), limit });
    const { rows } = await this.pool.query<SegmentToCheck & Record<string, unknown>>(asked);
    return rows.map(checkedLeaf);
  }
}
