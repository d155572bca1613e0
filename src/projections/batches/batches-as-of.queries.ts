import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { UUID } from '../../domain/kernel/patterns.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { type Bind, type Fragment, numbered } from '../kernel/fragment.js';
import { pageAsOf, type PastPageRequest } from '../kernel/page-as-of.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import type { BatchDetails, BatchFilter, BatchPage } from './batches.queries.js';
import { batchAt, PastBatches } from './past-batches.js';
import { type PastBatchSearch, pastBatchSearch } from './past-batch-search.js';
import { PastMembers } from './past-members.js';
import { type BatchTally, MOST_TALLY_LINES } from './batch-tally.query.js';

/** A batch as it was. Throws `NotThereThen` and `TooMuchToFold`. */
export class GetBatchAsOf extends Query<BatchDetails> {
  constructor(
    readonly id: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

/** The events of a batch at the moment. Throws `NotThereThen`. */
async function historyOf(past: Past, id: string, moment: Moment): Promise<readonly Recorded[]> {
  const history = await streamAsOf(past, batchStream(id), moment);
  if (batchAt(history) === null) throw new NotThereThen(null);
  return history;
}

@QueryHandler(GetBatchAsOf)
export class GetBatchAsOfHandler implements IQueryHandler<GetBatchAsOf> {
  constructor(
    private readonly past: Past,
    private readonly batches: PastBatches,
  ) {}

  async execute({ id, moment }: GetBatchAsOf): Promise<BatchDetails> {
    const history = await historyOf(this.past, id, moment);
    const [view] = await this.batches.viewsOf([{ name: id, history }], moment);
    return view!;
  }
}

/** The batches that matched, the newest first. Throws `InvalidCursor`, and what `batchConditions` does. */
export class ListBatchesAsOf extends Query<BatchPage> {
  constructor(
    readonly filter: BatchFilter,
    readonly page: PastPageRequest,
  ) {
    super();
  }
}

@QueryHandler(ListBatchesAsOf)
export class ListBatchesAsOfHandler implements IQueryHandler<ListBatchesAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly batches: PastBatches,
  ) {}

  async execute({ filter, page }: ListBatchesAsOf): Promise<BatchPage> {
    const { moment } = page;
    const search = await pastBatchSearch(this.past, filter, moment);
    const { items, nextCursor } = await pageAsOf(this.past, page, {
      identity: { list: 'batches', ...filter },
      names: UUID,
      namesAfter: (after, take, upTo) => this.ids(idsOf(search, { after, upTo, take })),
      ...(filter.search && { endOfLook: async (after) => (await this.ids(lastLookedAt(after)))[0] ?? null }),
      streamOf: batchStream,
      isListed: (history) => {
        const then = batchAt(history);
        return then !== null && search.matched(then);
      },
    });
    const views = await this.batches.viewsOf(items, moment);
    return { items: views.map(({ openTasks: _apart, ...view }) => view), nextCursor };
  }

  private async ids(select: Fragment): Promise<readonly string[]> {
    const [sql, values] = numbered(select);
    const rows = await this.db.query<{ id: string }[]>(sql, [...values]);
    return rows.map(({ id }) => id);
  }
}

/** The batches that a search looks at by one statement, of which a page has 25. */
const LOOKED_AT = 4_000;

interface Part {
  readonly after: string | null;
  readonly upTo: string | null;
  readonly take: number;
}

const idsOf =
  ({ mayMatch }: PastBatchSearch, { after, upTo, take }: Part): Fragment =>
  (bind) => {
    const until = upTo === null ? '' : `and ${PLACE} >= ${placeOf(upTo, bind)}`;
    return `select b.id from batches b where ${mayMatch(bind)} and ${isAfter(after, bind)} ${until} ${NEWEST} limit ${bind(take)}`;
  };

const lastLookedAt =
  (after: string | null): Fragment =>
  (bind) =>
    `select b.id from batches b where ${isAfter(after, bind)} ${NEWEST} offset ${LOOKED_AT - 1} limit 1`;

const NEWEST = 'order by b.created_at desc, b.id desc';
const PLACE = '(b.created_at, b.id)';

const placeOf = (id: string, bind: Bind): string => `(select created_at, id from batches where id = ${bind(id)})`;

const isAfter = (after: string | null, bind: Bind): string =>
  after === null ? 'true' : `${PLACE} < ${placeOf(after, bind)}`;

/** Counts the tasks that a batch had by queue, step and state. Throws `NotThereThen` and `TooMuchToFold`. */
export class TallyBatchAsOf extends Query<readonly BatchTally[]> {
  constructor(
    readonly batch: string,
    readonly moment: Moment,
  ) {
    super();
  }
}

@QueryHandler(TallyBatchAsOf)
export class TallyBatchAsOfHandler implements IQueryHandler<TallyBatchAsOf> {
  constructor(
    private readonly past: Past,
    private readonly batches: PastBatches,
    private readonly members: PastMembers,
  ) {}

  async execute({ batch, moment }: TallyBatchAsOf): Promise<readonly BatchTally[]> {
    await historyOf(this.past, batch, moment);
    const counted = (await this.members.of([batch], moment)).slice(0, MOST_TALLY_LINES);
    const names = await this.batches.stateNames(counted, moment);
    return counted.map(({ queue, step, state, tasks }, at) => ({ queue, step, state, stateName: names[at]!, tasks }));
  }
}
