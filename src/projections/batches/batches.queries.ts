import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { BatchStatus } from '../../domain/batch/batch.events.js';
import type { BatchSearch } from '../../domain/search/batch-search.js';
import { BATCH_ROWS, type BatchRow, type BatchView, viewOf } from './batch-view.js';
import { type OpenTasks, openTasksOf } from '../kernel/open-tasks.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { type Bind, type Fragment, numbered } from '../kernel/fragment.js';
import { Past } from '../kernel/past.port.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import { batchConditions, namesState } from './search-batches.js';
import { isUuid } from '../../domain/kernel/patterns.js';

export type { BatchView } from './batch-view.js';

/** A batch with what is still open of it, read at the same moment. */
export type BatchDetails = BatchView & { readonly openTasks: readonly OpenTasks[] };

/** Null if no batch has the id. */
export class GetBatch extends Query<BatchDetails | null> {
  constructor(readonly id: string) {
    super();
  }
}

export type BatchPage = Page<BatchView>;

export interface BatchFilter {
  /** Null: all except deleted ones, unless the search names states. */
  readonly state: BatchStatus | null;
  readonly search?: BatchSearch;
}

/**
 * The batches that match, the newest first. With a search a page may have fewer than `limit`, even none, and go on: it looks at a bounded
 * number of batches. Throws `InvalidCursor`, and what `batchConditions` does.
 */
export class ListBatches extends Query<BatchPage> {
  constructor(
    readonly filter: BatchFilter,
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

const DETAILS = `select b.*, ${openTasksOf('b.id')} as "openTasks" from (${BATCH_ROWS} where b.id = $1) b`;

@QueryHandler(GetBatch)
export class GetBatchHandler implements IQueryHandler<GetBatch> {
  constructor(private readonly db: DataSource) {}

  async execute({ id }: GetBatch): Promise<BatchDetails | null> {
    const [row] = await this.db.query<(BatchRow & Pick<BatchDetails, 'openTasks'>)[]>(DETAILS, [id]);
    return row ? { ...viewOf(row), openTasks: row.openTasks } : null;
  }
}

@QueryHandler(ListBatches)
export class ListBatchesHandler implements IQueryHandler<ListBatches> {
  constructor(
    private readonly db: DataSource,
    private readonly past: Past,
  ) {}

  async execute({ filter, cursor, limit }: ListBatches): Promise<BatchPage> {
    const size = Math.min(limit, MOST_PER_PAGE);
    const list = { list: 'batches', ...filter };
    const after = cursor === null ? null : decodeCursor(list, cursor, isPlace);
    const conditions = await batchConditions(this.past, filter.search ?? []);
    const end = conditions.length === 0 ? null : await this.endOfLook(after);
    const [sql, values] = numbered(pageSql(filter, conditions, { after, end, take: size + 1 }));
    const rows = await this.db.query<BatchRow[]>(sql, [...values]);
    const page = pageOf(rows.map(viewOf), size, (last) => encodeCursor(list, [last.createdAt, last.id]));
    return { ...page, nextCursor: page.nextCursor ?? (end && encodeCursor(list, end)) };
  }

  /** Up to where a page looks that must look at each batch; null: the rest. */
  private async endOfLook(after: BatchKey | null): Promise<BatchKey | null> {
    const [sql, values] = numbered(
      (bind) => `select b.id, b.created_at as at from batches b where ${isAfter(after, bind)}
        order by b.created_at desc, b.id desc offset ${MOST_LOOKED_AT - 1} limit 1`,
    );
    const [last] = await this.db.query<{ id: string; at: Date }[]>(sql, [...values]);
    return last ? [last.at.toISOString(), last.id] : null;
  }
}

/** The batches that one page of a search looks at. */
const MOST_LOOKED_AT = 20_000;

interface PartOfList {
  readonly after: BatchKey | null;
  /** The last batch that may be in it; null: that of the list. */
  readonly end: BatchKey | null;
  readonly take: number;
}

const pageSql =
  ({ state, search = [] }: BatchFilter, conditions: readonly Fragment[], { after, end, take }: PartOfList): Fragment =>
  (bind) => {
    const ofState =
      state === null ? (namesState(search) ? [] : [`b.state <> 'deleted'`]) : [`b.state = ${bind(state)}`];
    const upTo = end === null ? [] : [`${PLACE} >= ${placeOf(end, bind)}`];
    const all = [...ofState, isAfter(after, bind), ...upTo, ...conditions.map((condition) => condition(bind))];
    return `${BATCH_ROWS} where ${all.join(' and ')} order by b.created_at desc, b.id desc limit ${bind(take)}`;
  };

const PLACE = '(b.created_at, b.id)';

const placeOf = ([at, id]: BatchKey, bind: Bind): string =>
  `(cast(${bind(at)} as timestamptz), cast(${bind(id)} as uuid))`;

const isAfter = (after: BatchKey | null, bind: Bind): string =>
  after === null ? 'true' : `${PLACE} < ${placeOf(after, bind)}`;

type BatchKey = readonly [createdAt: string, id: string];

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isPlace = (place: readonly unknown[]): place is BatchKey =>
  place.length === 2 && typeof place[0] === 'string' && TIME.test(place[0]) && isUuid(place[1]);
