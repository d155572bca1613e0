import { Injectable } from '@nestjs/common';
import { KnownFailureGroups } from '../../application/failure-groups/known-failure-groups.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

const HAS = 'select from failure_groups where group_id = $1 and last_at is not null';

/** Asks the read model, because the log does not have groups. */
@Injectable()
export class PostgresFailureGroups extends KnownFailureGroups {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async has(group: string): Promise<boolean> {
    return (await this.pool.query(HAS, [group])).rows.length > 0;
  }
}
