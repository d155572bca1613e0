import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import { InvalidRange, MINUTES_KEPT_DAYS } from '../kernel/invalid-range.js';
import type { Overlap } from './overlap.js';

/** A time, or how many milliseconds before now. */
type Moment = { readonly at: Date } | { readonly ago: number };

export interface OverlapsAsked {
  /** Absent: of all queues. */
  readonly queue?: string;
  readonly from: Moment;
  readonly to: Moment;
}

export interface OverlapPage extends Page<Overlap> {
  readonly from: string;
  readonly to: string;
  /** How many there are in the range. */
  readonly overlaps: number;
  /** The attempts that began in the buckets of figures that the range touches. */
  readonly attempts: number;
  /** Null if there were no attempts. */
  readonly share: number | null;
}

/** The attempts that overlapped with the next one of their task, as late reports in the range show. Throws `InvalidCursor` and `InvalidRange`. */
export class ListOverlaps extends Query<OverlapPage> {
  constructor(
    readonly asked: OverlapsAsked,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

const IN_RANGE = 'ended_at >= $1 and ended_at < $2 and ($3::text is null or queue = $3)';

const PAGE = `select position::text, queue, task, attempt, worker, next_attempt as "nextAttempt", next_worker as "nextWorker",
    lost_at as "lostAt", begun_at as "begunAt", ended_at as "endedAt"
  from attempt_overlaps o where ${IN_RANGE} and o.position < $4::bigint order by o.position desc limit $5`;

const COUNT = `select count(*)::int as count from attempt_overlaps where ${IN_RANGE}`;

const attemptsIn = (table: 'queue_minutes' | 'queue_hours'): string =>
  `select coalesce(sum(claimed), 0)::int as count from ${table} where at >= $1 and at < $2 and ($3::text is null or queue = $3)`;

const LAST = '9223372036854775807';

interface Row extends Omit<Overlap, 'lostAt' | 'begunAt' | 'endedAt'> {
  readonly lostAt: Date;
  readonly begunAt: Date;
  readonly endedAt: Date;
}

@QueryHandler(ListOverlaps)
export class ListOverlapsHandler implements IQueryHandler<ListOverlaps> {
  constructor(private readonly db: DataSource) {}

  async execute({ asked, cursor, limit }: ListOverlaps): Promise<OverlapPage> {
    const { from, to, now } = await this.timesOf(asked);
    const queue = asked.queue ?? null;
    const list = { list: 'overlaps', ...asked };
    const before = cursor === null ? LAST : decodeCursor(list, cursor, isPosition)[0];
    const size = Math.min(limit, MOST_PER_PAGE);
    const rows = await this.db.query<Row[]>(PAGE, [from, to, queue, before, size + 1]);
    const { items, nextCursor } = pageOf(rows, size, ({ position }) => encodeCursor(list, [position]));
    const overlaps = await this.count(COUNT, from, to, queue);
    const { table, begin, end } = figuresOf({ from, to, now });
    const attempts = await this.count(attemptsIn(table), begin, end, queue);
    const figures = { overlaps, attempts, share: attempts === 0 ? null : overlaps / attempts };
    return { items: items.map(viewOf), nextCursor, from: from.toISOString(), to: to.toISOString(), ...figures };
  }

  private async count(statement: string, from: Date, to: Date, queue: string | null): Promise<number> {
    const [row] = await this.db.query<[{ readonly count: number }]>(statement, [from, to, queue]);
    return row.count;
  }

  /** By the clock of the database. */
  private async timesOf({ from, to }: OverlapsAsked): Promise<Times> {
    const [{ now }] = await this.db.query<[{ readonly now: Date }]>('select clock_timestamp() as now');
    const timeOf = (moment: Moment): Date => ('at' in moment ? moment.at : new Date(now.getTime() - moment.ago));
    const times = { from: timeOf(from), to: timeOf(to), now };
    if (times.to > times.from) return times;
    const [begin, end] = [times.from.toISOString(), times.to.toISOString()];
    throw new InvalidRange('to', `Expected an end after the begin ${begin}, but it is ${end}: swap 'from' and 'to'`);
  }
}

interface Times {
  readonly from: Date;
  readonly to: Date;
  readonly now: Date;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The figures of the whole minutes that the range touches, or of the whole hours once those by the minute are gone. */
function figuresOf({ from, to, now }: Times) {
  const isKept = now.getTime() - from.getTime() <= MINUTES_KEPT_DAYS * 24 * HOUR;
  const length = isKept ? MINUTE : HOUR;
  const whole = (round: (n: number) => number, time: Date) => new Date(round(time.getTime() / length) * length);
  const table = isKept ? ('queue_minutes' as const) : ('queue_hours' as const);
  return { table, begin: whole(Math.floor, from), end: whole(Math.ceil, to) };
}

const viewOf = ({ lostAt, begunAt, endedAt, ...overlap }: Row): Overlap => ({
  ...overlap,
  lostAt: lostAt.toISOString(),
  begunAt: begunAt.toISOString(),
  endedAt: endedAt.toISOString(),
});

const isPosition = (end: readonly unknown[]): end is readonly [string] =>
  end.length === 1 && typeof end[0] === 'string' && /^[0-9]{1,18}$/.test(end[0]);
