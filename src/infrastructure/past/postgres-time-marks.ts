import type { PostgresPool } from '../database/postgres-pool.js';
import { statement } from '../database/sql.js';
import { type MarkedStretch, TimeMarks } from './time-marks.port.js';

/** A log of 10,000,000 events has at most 5,000 stretches. */
const AT_ONCE = 10_000;

const FROM = statement<{ after: string; most: number }>(
  'waybill_times_from',
  'select after, up_to, earliest, latest from log_times where after >= :after order by after limit :most',
);

const ADD = statement<{ after: string; upTo: string; earliest: string; latest: string }>(
  'waybill_add_times',
  `insert into log_times (after, up_to, earliest, latest) values (:after, :upTo, :earliest, :latest)
   on conflict do nothing`,
);

interface TimesRow {
  readonly after: string;
  readonly up_to: string;
  readonly earliest: string;
  readonly latest: string;
}

/** In the table `log_times`. */
export class PostgresTimeMarks extends TimeMarks {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async from(after: bigint): Promise<readonly MarkedStretch[]> {
    const asked = FROM.with({ after: String(after), most: AT_ONCE });
    const { rows } = await this.pool.query<TimesRow & Record<string, unknown>>(asked);
    return joined(rows.map(stretchOf), after);
  }

  async add({ after, end, earliest, latest }: MarkedStretch): Promise<void> {
    const [first, last] = [new Date(earliest).toISOString(), new Date(latest).toISOString()];
    await this.pool.query(ADD.with({ after: String(after), upTo: String(end), earliest: first, latest: last }));
  }
}

/** Up to where one is missing, because it was forgotten. */
function joined(stretches: readonly MarkedStretch[], from: bigint): readonly MarkedStretch[] {
  const gap = stretches.findIndex(({ after }, at) => after !== (stretches[at - 1]?.end ?? from));
  return gap < 0 ? stretches : stretches.slice(0, gap);
}

const stretchOf = ({ after, up_to, earliest, latest }: TimesRow): MarkedStretch => ({
  after: BigInt(after),
  end: BigInt(up_to),
  earliest: Date.parse(earliest),
  latest: Date.parse(latest),
});
