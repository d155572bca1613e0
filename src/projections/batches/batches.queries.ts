import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import type { BatchStatus } from '../../domain/batch/batch.events.js';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';

export interface BatchView {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly state: BatchStatus;
  readonly createdAt: string;
  /** When the batch last ended. */
  readonly endedAt: string | null;
  readonly total: number;
  /** How many of its tasks have not ended. */
  readonly open: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly aborted: number;
  readonly deleted: number;
  readonly revision: number;
  readonly position: string;
}

/** Null if no batch has the id. */
export class GetBatch extends Query<BatchView | null> {
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

const COLUMNS = `select id, name, description, labels, state, created_at, ended_at, total, open, succeeded, failed, aborted, deleted,
    revision, position from batches`;

interface Row extends Omit<BatchView, 'createdAt' | 'endedAt' | 'labels'> {
  readonly labels: Readonly<Record<string, string>> | null;
  readonly created_at: Date;
  readonly ended_at: Date | null;
}

@QueryHandler(GetBatch)
export class GetBatchHandler implements IQueryHandler<GetBatch> {
  constructor(private readonly db: DataSource) {}

  async execute({ id }: GetBatch): Promise<BatchView | null> {
    const [row] = await this.db.query<Row[]>(`${COLUMNS} where id = $1`, [id]);
    return row ? viewOf(row) : null;
  }
}

@QueryHandler(ListBatches)
export class ListBatchesHandler implements IQueryHandler<ListBatches> {
  constructor(private readonly db: DataSource) {}

  async execute({ state, cursor, limit }: ListBatches): Promise<BatchPage> {
    const size = Math.min(limit, MOST_PER_PAGE);
    const list = { list: 'batches', state };
    const [createdAt, id] = cursor === null ? [null, null] : decodeCursor(list, cursor, isPlace);
    const rows = await this.db.query<Row[]>(
      `${COLUMNS} where ($1::text is null and state <> 'deleted' or state = $1)
         and ($2::timestamptz is null or (created_at, id) < ($2::timestamptz, $3::uuid))
       order by created_at desc, id desc limit $4`,
      [state, createdAt, id, size + 1],
    );
    return pageOf(rows.map(viewOf), size, (last) => encodeCursor(list, [last.createdAt, last.id]));
  }
}

type Place = readonly [createdAt: string, id: string];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const isPlace = (place: readonly unknown[]): place is Place =>
  place.length === 2 && matches(place[0], TIME) && matches(place[1], UUID);

const matches = (value: unknown, shape: RegExp): boolean => typeof value === 'string' && shape.test(value);

function viewOf({ labels, created_at, ended_at, ...row }: Row): BatchView {
  return {
    ...row,
    labels: labels ?? {},
    createdAt: created_at.toISOString(),
    endedAt: ended_at?.toISOString() ?? null,
  };
}
