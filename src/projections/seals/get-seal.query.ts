import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { LAST_SEAL, type Seal, SEAL_COLUMNS, sealOf, type SealRow } from './seal.js';

/** The seal of the log with so many leaves; the last one if that is null. Null if there is none. */
export class GetSeal extends Query<Seal | null> {
  constructor(readonly size: number | null) {
    super();
  }
}

@QueryHandler(GetSeal)
export class GetSealHandler implements IQueryHandler<GetSeal> {
  constructor(private readonly db: DataSource) {}

  async execute({ size }: GetSeal): Promise<Seal | null> {
    const [row] = await (size === null
      ? this.db.query<SealRow[]>(LAST_SEAL)
      : this.db.query<SealRow[]>(
          `select ${SEAL_COLUMNS} from seals where size = $1 and log = (select max(log) from seals)`,
          [size],
        ));
    return row ? sealOf(row) : null;
  }
}
