import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { streamKey } from '../database/stream-key.js';
import { saltAt } from '../event-codec/segment-digest.js';
import { checkedLeaf, leafText } from './checked-segment.js';
import { type CheckedLeaf, type LeafSource, type LogLeaf, LogLeaves, type MisnamedStream } from './log-leaves.port.js';
import { LAST_POSITION, SEGMENT_COLUMNS, StoredSegment } from './stored-segment.js';
import { storedText } from './stored-text.js';

/** The position is `last` of a `StoredSegment`. */
const AFTER = statement<{ after: string; limit: number }>(
  'waybill_leaves_after',
  `select s.position + least(greatest(s.n, 1) - 1, ${LAST_POSITION} - s.position) as position, waybill_leaf(s) as text from segments s
   where s.position > :after order by s.position limit :limit`,
);

const FIRST_AFTER = statement<{ after: string }>(
  'waybill_first_after',
  'select min(position) as position from segments where position > :after',
);

const OUTSIDE = {
  name: 'waybill_outside',
  text: `select position from segments where position < 1 order by position limit 8`,
};

const NAMES = { name: 'waybill_names_of_streams', text: 'select stream, name from stream_names' };

/** Ids of version 8 are made of names. Batches have ids of their own, of any version. */
const NAMELESS = {
  name: 'waybill_nameless_streams',
  text: `select distinct s.streams[1] as stream from segments s where s.category not in ('task', 'batch')
    and substr(s.streams[1]::text, 15, 1) = '8' and not exists (select from stream_names n where n.stream = s.streams[1])`,
};

const FIRST_OF = statement<{ streams: readonly string[] }>(
  'waybill_first_of_streams',
  `select f.stream, min(s.position) as position from unnest(:streams::uuid[]) as f(stream)
     join segments s on s.streams[1] = f.stream and s.category <> 'task' group by f.stream order by 2 limit 8`,
);

const within = (after: bigint, upTo: bigint): string =>
  `select ${SEGMENT_COLUMNS} from segments s where s.position > ${after} and s.position <= ${upTo} order by s.position`;

const atPositions = (positions: readonly bigint[]): string =>
  `select ${SEGMENT_COLUMNS} from segments s where s.position in (
     select (select max(o.position) from segments o where o.position <= w.position) from unnest('{${positions.join()}}'::bigint[]) as w(position))
   order by s.position`;

/** Texts of a segment that are too large for its page are not read: Postgres knows their lengths without them. The limit is innermost, or it would add up the rest of the log. */
const segmentsAfter = (position: bigint): string =>
  `select ${SEGMENT_COLUMNS} from (
     select s.*, sum(octet_length(s.data) + coalesce(octet_length(s.private), 0)) over (order by s.position rows between unbounded preceding and 1 preceding) as before
     from (select * from segments o where o.position > ${position} order by o.position limit ${SOURCES_AT_ONCE}) s) s
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
    const found = await this.checkedIn(position, limit);
    if (found.length > 0) return found;
    const asked = FIRST_AFTER.with({ after: String(position) });
    const { rows } = await this.pool.query<{ position: string | null }>(asked);
    const first = rows[0]?.position ?? null;
    return first === null ? [] : this.checkedIn(BigInt(first) - 1n, limit);
  }

  override async outside(): Promise<readonly bigint[]> {
    const { rows } = await this.pool.query<{ position: string }>(OUTSIDE);
    return rows.map(({ position }) => BigInt(position));
  }

  override async misnamed(): Promise<readonly MisnamedStream[]> {
    const { rows: names } = await this.pool.query<{ stream: string; name: string }>(NAMES);
    const { rows: nameless } = await this.pool.query<{ stream: string }>(NAMELESS);
    const wrong = new Map<string, string | null>([
      ...names
        .filter(({ stream, name }) => streamKey(name).id !== stream)
        .map((one) => [one.stream, one.name] as const),
      ...nameless.map(({ stream }) => [stream, null] as const),
    ]);
    if (wrong.size === 0) return [];
    const asked = FIRST_OF.with({ streams: [...wrong.keys()] });
    const { rows } = await this.pool.query<{ stream: string; position: string }>(asked);
    return rows.map(({ stream, position }) => ({ position: BigInt(position), name: wrong.get(stream)! }));
  }

  async sourcesAfter(position: bigint): Promise<readonly LeafSource[]> {
    return this.read(segmentsAfter(position), sourceOf);
  }

  async sources(positions: readonly bigint[]): Promise<readonly LeafSource[]> {
    return this.read(atPositions(positions), sourceOf);
  }

  /** Of the segments that begin within so many positions after this one. */
  private checkedIn(after: bigint, width: number): Promise<readonly CheckedLeaf[]> {
    const end = after + BigInt(width);
    return this.read(within(after, end > LAST_POSITION ? LAST_POSITION : end), checkedLeaf);
  }

  /** No more is in memory than a row, and what is made of each. */
  private async read<T>(select: string, made: (segment: StoredSegment) => T): Promise<readonly T[]> {
    const all: T[] = [];
    await this.pool.copyOut(select, (row) => all.push(made(new StoredSegment(row))));
    return all;
  }
}

function sourceOf(segment: StoredSegment): LeafSource {
  const { position, last, streams } = segment;
  const salts = segment.salts && Buffer.from(segment.salts);
  const lines = segment.text('private')?.split('\n') ?? [];
  return {
    leaf: { position: last, text: leafText(segment) },
    first: position,
    text: storedText(segment),
    streams,
    halves: streams.map((_, at) => {
      const line = lines[at] ?? '';
      if (line === '' || line.startsWith('#')) return null;
      return { line, salt: saltAt(salts!, at) };
    }),
  };
}
