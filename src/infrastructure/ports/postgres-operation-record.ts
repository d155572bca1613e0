import { Injectable } from '@nestjs/common';
import type { TakenTasks } from '../../application/bulk-operations/bulk-checkpoints.port.js';
import { OperationRecord } from '../../application/bulk-operations/operation-record.port.js';
import { ReadPool } from '../database/postgres-pool.js';

/** The tasks of the last checkpoint are in no page yet: an operation that ended has none there. */
const PAGES = `(
  select page, tasks from operation_tasks where operation = $1
  union all
  select coalesce((checkpoint->>'page')::int, 0), array(select jsonb_array_elements_text(checkpoint->'tasks'))::uuid[]
    from bulk_checkpoints where task_id = $1 and jsonb_array_length(checkpoint->'tasks') > 0) as p`;

@Injectable()
export class PostgresOperationRecord extends OperationRecord {
  constructor(private readonly pool: ReadPool) {
    super();
  }

  async count(operation: string): Promise<number> {
    const text = `select coalesce(sum(cardinality(tasks)), 0)::int as count from ${PAGES}`;
    const { rows } = await this.pool.query<{ count: number }>(text, [operation]);
    return rows[0]!.count;
  }

  async pageAfter(operation: string, page: number): Promise<TakenTasks | null> {
    const text = `select page, tasks from ${PAGES} where page > $2 order by page limit 1`;
    const { rows } = await this.pool.query<TakenTasks>(text, [operation, page]);
    return rows[0] ?? null;
  }
}
