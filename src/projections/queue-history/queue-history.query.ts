import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { ERROR_CLASSES, type ErrorClass } from '../../domain/task/task.events.js';
import { beginnings, type Bucket, isHourly, type Range, rangeOf, secondsOf } from './bucket.js';
import { quantile } from './histogram.js';
import { binsOf, type Counted } from './queue-history.projection.js';

/** How long something took, over all that was counted. The quantiles are as exact as the bins of the histogram. */
export interface Spread {
  readonly count: number;
  readonly total: number;
  readonly max: number;
  /** Null if nothing was counted. */
  readonly median: number | null;
  readonly p95: number | null;
}

export interface Figures {
  readonly enqueued: number;
  readonly claimed: number;
  readonly succeeded: number;
  /** The tasks that became failed. */
  readonly failed: Readonly<Record<ErrorClass, number>>;
  readonly retried: number;
  readonly lost: number;
  /** From the time that a task could be claimed until it was. */
  readonly waitingMs: Spread;
  /** From the claim until the task succeeded or failed. */
  readonly processingMs: Spread;
  /** The number of pending tasks at the end. */
  readonly backlog: number;
}

export interface QueueHistoryView {
  readonly bucket: Bucket;
  readonly from: string;
  readonly to: string;
  readonly total: Figures;
  /** One after the other, from `from` to `to`. */
  readonly buckets: readonly (Figures & { readonly at: string })[];
}

/** A time, or how many milliseconds before now. */
export type Moment = { readonly at: Date } | { readonly ago: number };

/** What happened in the queue over time. Throws `InvalidRange`. */
export class GetQueueHistory extends Query<QueueHistoryView> {
  constructor(
    readonly queue: string,
    readonly from: Moment,
    readonly to: Moment,
    /** Null to let the length of the interval decide. */
    readonly bucket: Bucket | null,
  ) {
    super();
  }
}

@QueryHandler(GetQueueHistory)
export class GetQueueHistoryHandler implements IQueryHandler<GetQueueHistory> {
  constructor(private readonly db: DataSource) {}

  async execute({ queue, from, to, bucket }: GetQueueHistory): Promise<QueueHistoryView> {
    const [clock] = await this.db.query<{ now: Date }[]>('select now()');
    const { now } = clock!;
    const range = rangeOf(timeOf(from, now), timeOf(to, now), bucket, now);
    const rows = await this.db.query<Row[]>(sumsBy(range.bucket), [
      queue,
      range.from,
      range.to,
      secondsOf(range.bucket),
    ]);
    return viewOf(range, rows);
  }
}

export const timeOf = (moment: Moment, now: Date): Date =>
  'at' in moment ? moment.at : new Date(now.getTime() - moment.ago);

export type Sums = Readonly<Record<Exclude<Counted, `${'waited' | 'ran'}_${number}`>, number>> & {
  readonly waited: readonly number[];
  readonly ran: readonly number[];
};
/** The row without `at` has the backlog before the range. */
type Row = Sums & { readonly at: Date | null };

const SUMMED = [
  'enqueued',
  'claimed',
  'succeeded',
  ...ERROR_CLASSES.map((name) => `failed_${name}` as const),
  'retried',
  'lost',
  'backlog',
  'waited_total_ms',
  'ran_total_ms',
] as const;
const GREATEST = ['waited_max_ms', 'ran_max_ms'] as const;

const SUMS = [
  ...SUMMED.map((name) => `sum(${name})::float8 as ${name}`),
  ...GREATEST.map((name) => `max(${name})::float8 as ${name}`),
  ...(['waited', 'ran'] as const).map(
    (name) =>
      `array[${binsOf(name)
        .map((bin) => `sum(${bin})`)
        .join()}]::float8[] as ${name}`,
  ),
].join(', ');

/**
 * The hours have the backlog of all times, in few rows. Up to the begin of the range, its last hour comes from the minutes
 * if the range is finer.
 */
function sumsBy(bucket: Bucket): string {
  const table = isHourly(bucket) ? 'queue_hours' : 'queue_minutes';
  return `
select date_bin(make_interval(secs => $4), at, 'epoch'::timestamptz) as at, ${SUMS}
from ${table} where queue = $1 and at >= $2 and at < $3 group by 1
union all
select null, ${SUMS} from (
  select * from queue_hours where queue = $1 and at < date_trunc('hour', $2::timestamptz, 'UTC')
  union all
  select * from queue_minutes where queue = $1 and at >= date_trunc('hour', $2::timestamptz, 'UTC') and at < $2) before
order by at nulls first`;
}

export function viewOf({ bucket, from, to, ...range }: Range, [before, ...rows]: readonly Row[]): QueueHistoryView {
  const found = new Map(rows.map((row) => [row.at!.getTime(), row]));
  let backlog = before!.backlog ?? 0;
  const buckets = beginnings({ bucket, from, to, ...range }).map((at) => {
    const sums = found.get(at.getTime()) ?? NOTHING;
    backlog += sums.backlog;
    return { at: at.toISOString(), ...figuresOf(sums, backlog) };
  });
  const total = figuresOf(rows.reduce<Sums>(plus, NOTHING), backlog);
  return { bucket, from: from.toISOString(), to: to.toISOString(), total, buckets };
}

const figuresOf = (sums: Sums, backlog: number): Figures => ({
  enqueued: sums.enqueued,
  claimed: sums.claimed,
  succeeded: sums.succeeded,
  failed: Object.fromEntries(ERROR_CLASSES.map((name) => [name, sums[`failed_${name}`]])) as Figures['failed'],
  retried: sums.retried,
  lost: sums.lost,
  waitingMs: spreadOf(sums.waited, sums.waited_total_ms, sums.waited_max_ms),
  processingMs: spreadOf(sums.ran, sums.ran_total_ms, sums.ran_max_ms),
  backlog,
});

const spreadOf = (bins: readonly number[], total: number, max: number): Spread => ({
  count: bins.reduce((sum, count) => sum + count, 0),
  total,
  max,
  median: quantile(0.5, bins, max),
  p95: quantile(0.95, bins, max),
});

export const NOTHING = {
  ...Object.fromEntries([...SUMMED, ...GREATEST].map((name) => [name, 0])),
  waited: binsOf('waited').map(() => 0),
  ran: binsOf('ran').map(() => 0),
} as unknown as Sums;

export const plus = (a: Sums, b: Sums): Sums => ({
  ...(Object.fromEntries(SUMMED.map((name) => [name, a[name] + b[name]])) as unknown as Sums),
  ...Object.fromEntries(GREATEST.map((name) => [name, Math.max(a[name], b[name])])),
  waited: a.waited.map((count, bin) => count + b.waited[bin]!),
  ran: a.ran.map((count, bin) => count + b.ran[bin]!),
});

/** What a row counts. */
export const sumsIn = (row: Readonly<Record<string, unknown>>): Sums =>
  ({
    ...Object.fromEntries([...SUMMED, ...GREATEST].map((name) => [name, Number(row[name])])),
    waited: binsOf('waited').map((bin) => Number(row[bin])),
    ran: binsOf('ran').map((bin) => Number(row[bin])),
  }) as unknown as Sums;
