import { isConnectionError } from '../../../application/kernel/connection-errors.js';
import { STEP_BYTES } from '../../../domain/kernel/byte-budget.js';
import type { LogRange } from '../../../application/kernel/event-store.port.js';
import { CATEGORIES } from '../../../domain/aggregates.js';
import type { PostgresPool } from '../../database/postgres-pool.js';
import type { LogMark, LogMarks } from './log-marks.js';
import type { Stretch } from './stretches.js';

/** Each stretch ends with one of our events, and a read takes no more of them at once. */
const AT_ONCE = 2_000;
/** Takes about ten megabytes. If there are more, the shortest ones go, which spare the least. */
const MOST_STRETCHES = 100_000;
/** Of the newest ones, the events after them are kept, too. Takes some ten megabytes, and 80 at most. */
const MOST_ISLANDS = 10_000;

/** Less than the minute between two looks of a process. */
const REST_SECONDS = 50;

/** As many as this build knows: a build that knows more kinds of streams may find their events where this one found none. */
const { length: KINDS } = CATEGORIES;

/** Keeps what is known of the log beside the index, which belongs to the same store and names. */
export class PostgresLogMarks implements LogMarks {
  constructor(
    private readonly pool: PostgresPool,
    private readonly mostStretches = MOST_STRETCHES,
    private readonly kinds = KINDS,
    private readonly mostIslands = MOST_ISLANDS,
  ) {}

  async stretches({ after, upTo }: LogRange, most = AT_ONCE): Promise<readonly Stretch[]> {
    const values = [after, upTo, Math.min(most, AT_ONCE), STEP_BYTES];
    return (await this.read<StretchRow>('waybill_log_stretches', STRETCHES, values)).map(stretchOf);
  }

  async add(stretches: readonly Stretch[]): Promise<void> {
    if (stretches.length === 0) return;
    const columns = [
      stretches.map(({ after }) => after),
      stretches.map(({ upTo }) => upTo),
      stretches.map(({ id }) => id),
      stretches.map(({ island }) => island ?? null),
    ];
    await this.read('waybill_add_log_stretches', ADD_STRETCHES, columns);
  }

  newest(ms?: number): Promise<LogMark | null> {
    return ms === undefined
      ? this.mark('waybill_newest_log_mark', `${MARK} order by noted_at desc limit 1`)
      : this.mark('waybill_log_mark_before', `${MARK} and at <= to_timestamp($2) order by at desc limit 1`, ms);
  }

  oldestSince(ms: number): Promise<LogMark | null> {
    return this.mark('waybill_log_mark_since', `${MARK} and at >= to_timestamp($2) order by at limit 1`, ms);
  }

  async forget(position: bigint): Promise<void> {
    await this.pool.query('delete from log_stretches where up_to >= $1', [position]);
    await this.pool.query('delete from log_marks where position >= $1', [position]);
  }

  /** Notes how the log ends, unless somebody has within so many seconds. */
  async note({ last, ms, newest }: LogMark, restSeconds = REST_SECONDS): Promise<void> {
    const record = [last.position, last.id, ms / 1_000, newest?.position ?? 0, newest?.id];
    await this.pool.query(NOTE, [this.kinds, ...record, restSeconds]);
  }

  /** Deletes what is more than the most. */
  async prune(): Promise<void> {
    await this.pool.query(PRUNE, [this.mostStretches]);
    await this.pool.query(PRUNE_ISLANDS, [this.mostIslands]);
  }

  private async mark(name: string, text: string, ms?: number): Promise<LogMark | null> {
    const [row] = await this.read<MarkRow>(name, text, ms === undefined ? [] : [ms / 1_000]);
    if (!row) return null;
    const { position, record_id, at, newest, newest_id } = row;
    return {
      last: { position: BigInt(position), id: record_id },
      ms: Date.parse(at),
      newest: newest_id === null ? null : { position: BigInt(newest), id: newest_id },
    };
  }

  /** What cannot be asked for or kept now is looked for in the log. */
  private async read<Row extends object>(name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
    try {
      return (await this.pool.query<Row & Record<string, unknown>>({ name, text, values: [this.kinds, ...values] }))
        .rows;
    } catch (error) {
      if (isConnectionError(error)) return [];
      throw error;
    }
  }
}

interface StretchRow {
  readonly after: string;
  readonly up_to: string;
  readonly event_id: string;
  readonly island: string | null;
}

const stretchOf = ({ after, up_to, event_id, island }: StretchRow): Stretch => ({
  after: BigInt(after),
  upTo: BigInt(up_to),
  id: event_id,
  ...(island !== null && { island }),
});

interface MarkRow {
  readonly position: string;
  readonly record_id: string;
  readonly at: string;
  readonly newest: string;
  readonly newest_id: string | null;
}

/** No more of the events than fit into memory many times. */
const STRETCHES = `
  select after, up_to, event_id,
    case when sum(coalesce(octet_length(island), 0)) over (order by up_to) <= $5 then island end as island
  from (
    select after, up_to, event_id, island from log_stretches where categories = $1 and up_to > $2 and after < $3
    order by up_to limit $4) s
  order by up_to`;

/** Whoever began to look in the middle of a stretch has found a part of it, and others have read more after it. */
const ADD_STRETCHES = `
  insert into log_stretches as known (categories, after, up_to, event_id, island)
  select $1, after, up_to, event_id, island
  from unnest($2::bigint[], $3::bigint[], $4::uuid[], $5::text[]) as s(after, up_to, event_id, island)
  order by up_to
  on conflict (categories, up_to) do update set
    after = least(known.after, excluded.after),
    island = case when coalesce(length(known.island), 0) > length(excluded.island) then known.island
      else coalesce(excluded.island, known.island) end
  where excluded.after < known.after or length(excluded.island) > coalesce(length(known.island), 0)`;

const MARK = 'select position, record_id, at, newest, newest_id from log_marks where categories = $1';

const NOTE = `
  insert into log_marks (categories, position, record_id, at, newest, newest_id, hourly)
  select $1, $2, $3, to_timestamp($4), $5, $6,
    not exists (select from log_marks where categories = $1 and hourly and noted_at > now() - interval '1 hour')
  where not exists (select from log_marks where categories = $1 and noted_at > now() - make_interval(secs => $7))
  on conflict do nothing`;

const PRUNE = `
  delete from log_stretches where (select count(*) from log_stretches) > $1 and (categories, up_to) in (
    select categories, up_to from log_stretches order by categories desc, up_to - after desc offset $1)`;

/** The oldest of so many is found with the index; without as many, none is. */
const PRUNE_ISLANDS = `
  update log_stretches s set island = null
  from (select distinct categories from log_stretches) c, lateral (
    select up_to from log_stretches where categories = c.categories and island is not null
    order by up_to desc offset $1 limit 1) oldest
  where s.categories = c.categories and s.up_to <= oldest.up_to and s.island is not null`;
