import { Injectable } from '@nestjs/common';
import { KeyFailures } from '../../application/tasks/key-failures.port.js';
import { PostgresPool } from '../database/postgres-pool.js';

@Injectable()
export class PostgresKeyFailures extends KeyFailures {
  constructor(private readonly pool: PostgresPool) {
    super();
  }

  async of(queue: string, key: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ task_id: string }>({
      name: 'waybill_key_failures',
      text: 'select task_id from key_failures where queue = $1 and key = $2 order by task_id',
      values: [queue, key],
    });
    return rows.map((row) => row.task_id);
  }
}
