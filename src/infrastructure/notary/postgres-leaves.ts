import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { digestText, saltAt } from '../event-codec/segment-digest.js';
import { checkedLeaf, type SegmentToCheck } from './checked-segment.js';
import { type CheckedLeaf, type LeafSource, type LogLeaf, LogLeaves } from './log-leaves.port.js';
import { type SegmentRow, storedSegment } from './segment-row.js';

const AFTER = statement<{ after: string; limit: number }>(
  'waybill_leaves_after',
  `select s.position + s.n - 1 as position, waybill_leaf(s) as text from segments s
   where s.position > :after order by s.position limit :limit`,
);

/** Lists and times as texts: taking these apart costs a fraction of what the driver's parsers and `to_char` do. */
const COLUMNS = `s.position, s.n, s.category, s.type, s.version, s.meta, s.shared, s.streams::text, s.revisions::text, s.prevs::text, s.ids::text, s.data,
     s.private, s.salts, s.digest, s.recorded_at::text`;

const AT = statement<{ positions: readonly string[] }>(
  'waybill_segments_at',
  `select ${COLUMNS} from segments s where s.position in (
     select (select max(o.position) from segments o where o.position <= w.position) from unnest(:positions::bigint[]) as w(position))
   order by s.position`,
);

/** Texts of a segment that are too large for its page are not read: Postgres knows their lengths without them. The limit is innermost, or it would add up the rest of the log. */
const SEGMENTS_AFTER = statement<{ after: string; limit: number; bytes: number }>(
  'waybill_segments_after_leaf',
  `select ${COLUMNS} from (
     select s.*, sum(octet_length(s.data) + coalesce(octet_length(s.private), 0)) over (order by s.position rows between unbounded preceding and 1 preceding) as before
     from (select * from segments o where o.position > :after order by o.position limit :limit) s) s
   where s.before is null or s.before < :bytes order by s.position`,
);

const SOURCES_AT_ONCE = 512;
const BYTES_AT_ONCE = 1_024 * 1_024;

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
    return (await this.segmentsAfter(position, limit)).map(checkedLeaf);
  }

  async sourcesAfter(position: bigint): Promise<readonly LeafSource[]> {
    return (await this.segmentsAfter(position, SOURCES_AT_ONCE)).map(sourceOf);
  }

  async sources(positions: readonly bigint[]): Promise<readonly LeafSource[]> {
    const { rows } = await this.pool.query<SegmentRow>(AT.with({ positions: positions.map(String) }));
    return rows.map(storedSegment).map(sourceOf);
  }

  private async segmentsAfter(position: bigint, limit: number): Promise<readonly SegmentToCheck[]> {
    const asked = SEGMENTS_AFTER.with({ after: String(position), limit, bytes: BYTES_AT_ONCE });
    return (await this.pool.query<SegmentRow>(asked)).rows.map(storedSegment);
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
      return { line, salt: saltAt(salts!, at) };
    }),
  };
}
