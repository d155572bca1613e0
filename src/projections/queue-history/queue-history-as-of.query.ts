import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { MOST_MOVES_FOLDED } from '../kernel/moves-between.port.js';
import { type Moment, NoSuchMoment, Past, TooMuchToFold } from '../kernel/past.port.js';
import { type ModelRow, RowsThen } from '../kernel/rows-then.port.js';
import { StatesThen } from '../kernel/states-then.port.js';
import { type Range, rangeOf, secondsOf } from './bucket.js';
import { queueHistory } from './queue-history.projection.js';
import {
  type GetQueueHistory,
  NOTHING,
  plus,
  type QueueHistoryView,
  type Sums,
  sumsIn,
  timeOf,
  viewOf,
} from './queue-history.query.js';

/**
 * What had happened in a queue over time, folded from the log. Times are counted from the moment. Throws `InvalidRange`,
 * `TooMuchToFold` and `HistoryNotReady`.
 */
export class GetQueueHistoryAsOf extends Query<QueueHistoryView> {
  constructor(
    readonly asked: GetQueueHistory,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(GetQueueHistoryAsOf)
export class GetQueueHistoryAsOfHandler implements IQueryHandler<GetQueueHistoryAsOf> {
  constructor(
    private readonly past: Past,
    private readonly rows: RowsThen,
    private readonly states: StatesThen,
  ) {}

  async execute({ asked: { queue, from, to, bucket }, moment }: GetQueueHistoryAsOf): Promise<QueueHistoryView> {
    const now = new Date(moment.at);
    const range = rangeOf(timeOf(from, now), timeOf(to, now), bucket, now);
    const start = await this.startOf(range, moment);
    const all = await this.rows.between(queueHistory, start, moment.position);
    if (all === null) throw tooMany();
    const minutes = all.filter((row) => row.queue === queue);
    const { pending = 0 } = start === 0n ? {} : await this.states.countsOf(queue, { ...moment, position: start });
    return viewOf(range, [
      { ...NOTHING, at: null, backlog: pending + earlierIn(minutes, range) },
      ...bucketsOf(minutes, range),
    ]);
  }

  /** The position before the first event of the range. */
  private async startOf({ from }: Range, { at, position }: Moment): Promise<bigint> {
    if (from.getTime() > Date.parse(at)) return position;
    try {
      const before = await this.past.momentOf({ at: new Date(from.getTime() - 1) });
      return before.position < position ? before.position : position;
    } catch (error) {
      if (error instanceof NoSuchMoment) return 0n;
      throw error;
    }
  }
}

const tooMany = (): TooMuchToFold =>
  new TooMuchToFold(MOST_MOVES_FOLDED, 'events', {
    that: 'from the begin of the range to the moment',
    instead: 'begin later, or ask without a moment',
  });

const timeIn = ({ at }: ModelRow): number => Date.parse(String(at));

/** What was recorded after the begin of the range with an earlier time, because the clock was set back. */
const earlierIn = (minutes: readonly ModelRow[], { from }: Range): number =>
  minutes.filter((row) => timeIn(row) < from.getTime()).reduce((sum, { backlog }) => sum + Number(backlog), 0);

function bucketsOf(
  minutes: readonly ModelRow[],
  { from, to, bucket }: Range,
): readonly (Sums & { readonly at: Date })[] {
  const [buckets, length] = [new Map<number, Sums>(), secondsOf(bucket) * 1_000];
  for (const row of minutes) {
    const time = timeIn(row);
    if (time < from.getTime() || time >= to.getTime()) continue;
    const begin = time - (time % length);
    buckets.set(begin, plus(buckets.get(begin) ?? NOTHING, sumsIn(row)));
  }
  return [...buckets].map(([begin, sums]) => ({ ...sums, at: new Date(begin) }));
}
