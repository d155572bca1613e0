import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import { type Seal, SEAL_COLUMNS, sealOf, type SealRow } from './seal.js';

/** The seals, those of logs before too, the newest first. Throws `InvalidCursor`. */
export class ListSeals extends Query<Page<Seal>> {
  constructor(
    readonly cursor: string | null,
    readonly limit: number,
  ) {
    super();
  }
}

const LIST = { list: 'seals' };

@QueryHandler(ListSeals)
export class ListSealsHandler implements IQueryHandler<ListSeals> {
  constructor(private readonly db: DataSource) {}

  async execute({ cursor, limit }: ListSeals): Promise<Page<Seal>> {
    const before = cursor === null ? null : decodeCursor(LIST, cursor, isPlace);
    const size = Math.min(limit, MOST_PER_PAGE);
    const rows = await this.db.query<SealRow[]>(
      `select ${SEAL_COLUMNS} from seals where $1::int is null or (log, size) < ($1, $2::bigint) order by log desc, size desc limit $3`,
      [before?.[0] ?? null, before?.[1] ?? null, size + 1],
    );
    const { items, nextCursor } = pageOf(rows, size, (last) => encodeCursor(LIST, [String(last.log), last.size]));
    return { items: items.map(sealOf), nextCursor };
  }
}

const isPlace = (end: readonly unknown[]): end is readonly [string, string] =>
  end.length === 2 && end.every((one) => typeof one === 'string' && /^\d{1,16}$/.test(one));
