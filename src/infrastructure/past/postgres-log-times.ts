import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { LogTimes, type PositionsAround, type Stretch } from './log-times.port.js';

/** In rows of `segments`. Looking through as many takes about ten milliseconds. */
const STRETCH = 16_384;

const STRETCH_AFTER = statement<{ after: string; stretch: number }>(
  'waybill_stretch_of_times',
  `select max(position + n - 1) as "end", min(recorded_at) as earliest, max(recorded_at) as latest
   from (select position, n, recorded_at from segments where position > :after order by position limit :stretch) as s
   having count(*) = :stretch`,
);

const AROUND = statement<{ time: string; after: string; upTo: string | null }>(
  'waybill_around_time',
  `select
     (select position - 1 from segments where position > :after and position <= coalesce(:upTo, 9223372036854775807)
        and recorded_at > :time order by position limit 1) as before,
     (select position + n - 1 from segments where position > :after and position <= coalesce(:upTo, 9223372036854775807)
        and recorded_at <= :time order by position desc limit 1) as last`,
);

const TIME_AT = statement<{ position: string }>(
  'waybill_time_at',
  'select recorded_at as at from segments where position <= :position order by position desc limit 1',
);

/** One statement looks through a stretch, without reading data. */
export class PostgresLogTimes extends LogTimes {
  constructor(
    private readonly pool: PostgresPool,
    private readonly stretch = STRETCH,
  ) {
    super();
  }

  async stretchAfter(after: bigint): Promise<Stretch | null> {
    const { rows } = await this.pool.query<{ end: string; earliest: string; latest: string }>(
      STRETCH_AFTER.with({ after: String(after), stretch: this.stretch }),
    );
    if (!rows[0]) return null;
    const { end, earliest, latest } = rows[0];
    return { end: BigInt(end), earliest: Date.parse(earliest), latest: Date.parse(latest) };
  }

  async around(time: number, after: bigint, upTo: bigint | null): Promise<PositionsAround> {
    const { rows } = await this.pool.query<{ before: string | null; last: string | null }>(
      AROUND.with({
        time: new Date(time).toISOString(),
        after: String(after),
        upTo: upTo === null ? null : String(upTo),
      }),
    );
    const { before, last } = rows[0]!;
    return { before: before === null ? null : BigInt(before), last: last === null ? null : BigInt(last) };
  }

  async timeAt(position: bigint): Promise<number | null> {
    const { rows } = await this.pool.query<{ at: string }>(TIME_AT.with({ position: String(position) }));
    return rows[0] ? Date.parse(rows[0].at) : null;
  }
}
