import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { saltAt } from '../event-codec/segment-digest.js';
import { checkedLeaf } from './checked-segment.js';
import { type CheckedLeaf, type LeafSource, type LogLeaf, LogLeaves } from './log-leaves.port.js';
import { SEGMENT_COLUMNS, StoredSegment } from './stored-segment.js';
import { storedText } from './stored-text.js';

const AFTER = statement<{ after: string; limit: number }>(
  'waybill_leaves_after',
  `select s.position + s.n - 1 as position, waybill_leaf(s) as text from segments s
   where s.position > :after order by s.position limit :limit`,
);

const atPositions = (positions: readonly bigint[]): string =>
  `select ${SEGMENT_COLUMNS} from segments s where s.position in (
     select (select max(o.position) from segments o where o.position <= w.position) from unnest('{${positions.join()}}'::bigint[]) as w(position))
   order by s.position`;

/** Texts of a segment that are too large for its page are not read: Postgres knows their lengths without them. The limit is innermost, or it would add up the rest of the log. */
const segmentsAfter = (position: bigint, limit: number): string =>
  `select ${SEGMENT_COLUMNS} from (
     select s.*, sum(octet_length(s.data) + coalesce(octet_length(s.private), 0)) over (order by s.position rows between unbounded preceding and 1 preceding) as before
     from (select * from segments o where o.position > ${position} order by o.position limit ${limit}) s) s
   where s.before is null or s.before < ${BYTES_AT_ONCE} order by s.position`;

const SOURCES_AT_ONCE = 512;
const BYTES_AT_ONCE = 1_024 * 1_024;

/** Of the segments in Postgres. */
export class PostgresLeaves extends LogLeaves {
  constructor(private readonly pool: Pick<PostgresPool, 'query' | 'copyOut'>) {
    super();
  }

  async after(position: bigint, limit: number): Promise<readonly LogLeaf[]> {
    const asked = AFTER.with({ after: String(position), limit });
    const { rows } = await this.pool.query<{ position: string; text: string }>(asked);
    return rows.map((row) => ({ position: BigInt(row.position), text: row.text }));
  }

  async checked(position: bigint, limit: number): Promise<readonly CheckedLeaf[]> {
    return (await this.read(segmentsAfter(position, limit))).map(checkedLeaf);
  }

  async sourcesAfter(position: bigint): Promise<readonly LeafSource[]> {
    return (await this.read(segmentsAfter(position, SOURCES_AT_ONCE))).map(sourceOf);
  }

  async sources(positions: readonly bigint[]): Promise<readonly LeafSource[]> {
    return (await this.read(atPositions(positions))).map(sourceOf);
  }

  private async read(select: string): Promise<readonly StoredSegment[]> {
    return (await this.pool.copyOut(select)).map((row) => new StoredSegment(row));
  }
}

function sourceOf(segment: StoredSegment): LeafSource {
  const { position, streams, salts } = segment;
  const lines = segment.text('private')?.split('\n') ?? [];
  return {
    leaf: checkedLeaf(segment),
    first: position,
    text: storedText(segment).toString(),
    streams,
    halves: streams.map((_, at) => {
      const line = lines[at] ?? '';
      if (line === '' || line.startsWith('#')) return null;
      return { line, salt: saltAt(salts!, at) };
    }),
  };
}
