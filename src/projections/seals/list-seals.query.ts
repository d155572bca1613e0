import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { decodeCursor, encodeCursor } from '../kernel/cursor.js';
import { MOST_PER_PAGE, type Page, pageOf } from '../kernel/page.js';
import { type Seal, SEAL_COLUMNS, sealOf, type SealRow } from './seal.js';

/** The seals, the newest first. Throws `InvalidCursor`. */
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
    const before = cursor === null ? null : decodeCursor(LIST, cursor, isSize)[0];
    const size = Math.min(limit, MOST_PER_PAGE);
    const rows = await this.db.query<SealRow[]>(
      `select ${SEAL_COLUMNS} from seals where $1::bigint is null or size < $1 order by size desc limit $2`,
      [before, size + 1],
    );
    return pageOf(rows.map(sealOf), size, (last) => encodeCursor(LIST, [String(last.size)]));
  }
}

const isSize = (end: readonly unknown[]): end is readonly [string] =>
  end.length === 1 && typeof end[0] === 'string' && /^\d{1,16}$/.test(end[0]);
