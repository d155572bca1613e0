import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DataSource } from 'typeorm';
import { EventLog } from '../kernel/event-log.port.js';
import { firstLogOfTree } from './ended-logs.js';
import { LAST_SEAL, type Seal, SEAL_COLUMNS, sealOf, type SealRow } from './seal.js';

/** The seal of the log with so many leaves, also under a key that was retired since; the last one if that is null. Null if there is none. */
export class GetSeal extends Query<Seal | null> {
  constructor(readonly size: number | null) {
    super();
  }
}

@QueryHandler(GetSeal)
export class GetSealHandler implements IQueryHandler<GetSeal> {
  constructor(
    private readonly db: DataSource,
    private readonly log: EventLog,
  ) {}

  async execute({ size }: GetSeal): Promise<Seal | null> {
    const [row] = await (size === null
      ? this.db.query<SealRow[]>(LAST_SEAL)
      : this.db.query<SealRow[]>(OF_SIZE, [size, await firstLogOfTree(this.log)]));
    return row ? sealOf(row) : null;
  }
}

const OF_SIZE = `select ${SEAL_COLUMNS} from seals where size = $1 and log >= $2 order by log desc limit 1`;
