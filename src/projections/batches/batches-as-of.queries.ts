import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { BatchStatus } from '../../domain/batch/batch.events.js';
import { batchStream } from '../../domain/batch/batch.stream.js';
import { UUID } from '../../domain/kernel/patterns.js';
import type { Recorded } from '../kernel/event-log.port.js';
import { pageAsOf, type PastPageRequest } from '../kernel/page-as-of.js';
import { type Moment, NotThereThen, Past } from '../kernel/past.port.js';
import { streamAsOf } from '../kernel/stream-as-of.js';
import type { BatchDetails, BatchPage } from './batches.queries.js';
import { batchAt, PastBatches } from './past-batches.js';
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

/** The batches that there were, the newest first. Throws `InvalidCursor` and `TooMuchToFold`. */
export class ListBatchesAsOf extends Query<BatchPage> {
  constructor(
    /** Null: all except those that were deleted. */
    readonly state: BatchStatus | null,
    readonly page: PastPageRequest,
  ) {
    super();
  }
}

/** Those in the list now, and those that have changed since. */
const IDS = `select b.id from batches b
  where (b.position > $2 or $1::text is null and b.state <> 'deleted' or b.state = $1)
    and ($3::uuid is null or (b.created_at, b.id) < (select created_at, id from batches where id = $3))
  order by b.created_at desc, b.id desc limit $4`;

@QueryHandler(ListBatchesAsOf)
export class ListBatchesAsOfHandler implements IQueryHandler<ListBatchesAsOf> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
    private readonly batches: PastBatches,
  ) {}

  async execute({ state, page }: ListBatchesAsOf): Promise<BatchPage> {
    const { moment } = page;
    const { items, nextCursor } = await pageAsOf(this.past, page, {
      identity: { list: 'batches', state },
      names: UUID,
      namesAfter: async (after, take) => {
        const rows = await this.db.query<{ id: string }[]>(IDS, [state, String(moment.position), after, take]);
        return rows.map(({ id }) => id);
      },
      streamOf: batchStream,
      isListed: (history) => {
        const then = batchAt(history)?.state;
        return then !== undefined && (state === null ? then !== 'deleted' : then === state);
      },
    });
    const views = await this.batches.viewsOf(items, moment);
    return { items: views.map(({ openTasks: _apart, ...view }) => view), nextCursor };
  }
}

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
