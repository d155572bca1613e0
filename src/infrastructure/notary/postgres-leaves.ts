import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { digestText, SALT_BYTES } from '../event-codec/segment-digest.js';
import { checkedLeaf, type SegmentToCheck } from './checked-segment.js';
import { type CheckedLeaf, type LeafSource, type LogLeaf, LogLeaves } from './log-leaves.port.js';

const AFTER = statement<{ after: string; limit: number }>(
  'waybill_leaves_after',
  `select s.position + s.n - 1 as position, waybill_leaf(s) as text from segments s
   where s.position > :after order by s.position limit :limit`,
);

const COLUMNS = `s.position, s.n, s.category, s.type, s.version, s.meta, s.shared, s.streams, s.revisions, s.prevs::text, s.ids, s.data, s.private, s.salts, s.digest,
     to_char(s.recorded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as time`;

const AT = statement<{ positions: readonly string[] }>(
  'waybill_segments_at',
  `select ${COLUMNS} from segments s where s.position in (
     select (select max(o.position) from segments o where o.position <= w.position) from unnest(:positions::bigint[]) as w(position))
   order by s.position`,
);

const CHECKED = statement<{ after: string; limit: number }>(
  'waybill_checked_leaves_after',
  `select ${COLUMNS}
   from segments s where s.position > :after order by s.position limit :limit`,
);

/** Texts of a segment that are too large for its page are not read: Postgres knows their lengths without them. */
const SOURCES_AFTER = statement<{ after: string; limit: number; bytes: number }>(
  'waybill_sources_after',
  `select ${COLUMNS} from (
     select s.*, sum(octet_length(s.data) + coalesce(octet_length(s.private), 0)) over (order by s.position rows between unbounded preceding and 1 preceding) as before
     from segments s where s.position > :after order by s.position limit :limit) s
   where s.before is null or s.before < :bytes order by s.position`,
);

const SOURCES_AT_ONCE = 512;
const SOURCE_BYTES = 1_024 * 1_024;

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

  async sourcesAfter(position: bigint): Promise<readonly LeafSource[]> {
    const asked = SOURCES_AFTER.with({ after: String(position), limit: SOURCES_AT_ONCE, bytes: SOURCE_BYTES });
    const { rows } = await this.pool.query<SegmentToCheck & Record<string, unknown>>(asked);
    return rows.map(sourceOf);
  }

  async sources(positions: readonly bigint[]): Promise<readonly LeafSource[]> {
    const asked = AT.with({ positions: positions.map(String) });
    const { rows } = await this.pool.query<SegmentToCheck & Record<string, unknown>>(asked);
    return rows.map(sourceOf);
  }
}

function sourceOf(row: SegmentToCheck): LeafSource {
  const { streams, data, salts } = row;
  const lines = row.private?.split('\n') ?? [];
  return {
    leaf: checkedLeaf(row),
    first: BigInt(row.position),
    text: digestText({ ...row, lines: data }),
    streams,
    halves: streams.map((_, at) => {
      const line = lines[at] ?? '';
      if (line === '' || line.startsWith('#')) return null;
      return { line, salt: salts!.subarray(at * SALT_BYTES, (at + 1) * SALT_BYTES) };
    }),
  };
}
