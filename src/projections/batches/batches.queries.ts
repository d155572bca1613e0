import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { BatchStatus } from '../../domain/batch/batch.events.js';
import { BATCH_ROWS, type BatchRow, type BatchView, viewOf } from './batch-view.js';
import { type OpenTasks, openTasksOf } from '../kernel/open-tasks.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
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

/** The batches, the newest first. Throws `InvalidCursor`. */
export class ListBatches extends Query<BatchPage> {
  constructor(
    /** Null: all except deleted ones. */
    readonly state: BatchStatus | null,
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
  constructor(private readonly db: DataSource) {}

  async execute({ state, cursor, limit }: ListBatches): Promise<BatchPage> {
    const size = Math.min(limit, MOST_PER_PAGE);
    const list = { list: 'batches', state };
    const [createdAt, id] = cursor === null ? [null, null] : decodeCursor(list, cursor, isPlace);
    const rows = await this.db.query<BatchRow[]>(
      `${BATCH_ROWS} where ($1::text is null and b.state <> 'deleted' or b.state = $1)
         and ($2::timestamptz is null or (b.created_at, b.id) < ($2::timestamptz, $3::uuid))
       order by b.created_at desc, b.id desc limit $4`,
      [state, createdAt, id, size + 1],
    );
    return pageOf(rows.map(viewOf), size, (last) => encodeCursor(list, [last.createdAt, last.id]));
  }
}

type BatchKey = readonly [createdAt: string, id: string];

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isPlace = (place: readonly unknown[]): place is BatchKey =>
  place.length === 2 && typeof place[0] === 'string' && TIME.test(place[0]) && isUuid(place[1]);
