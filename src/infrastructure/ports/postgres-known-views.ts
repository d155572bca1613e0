import { Injectable } from '@nestjs/common';
import { KnownViews } from '../../application/views/known-views.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

const OTHERS = "select count(*)::int as others from views where state = 'saved' and name <> $1";

/** Counts rows, because the log has a stream for each view and none for all. */
@Injectable()
export class PostgresKnownViews extends KnownViews {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async others(view: string): Promise<number> {
    const { rows } = await this.pool.query<{ others: number }>(OTHERS, [view]);
    return rows[0]!.others;
  }
}
