import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import type { TakenTasks } from '../../application/bulk-operations/bulk-checkpoints.port.js';
import {
  OperationRecord,
  type WaiterPlace,
  type WaitersPage,
} from '../../application/bulk-operations/operation-record.port.js';
import { ReadPool } from '../database/postgres-pool.js';

/** The tasks of the last checkpoint are in no page yet: an operation that ended has none there. */
const PAGES = `(
  select page, tasks from operation_tasks where operation = $1
  union all
  select coalesce((checkpoint->>'page')::int, 0), array(select jsonb_array_elements_text(checkpoint->'tasks'))::uuid[]
    from bulk_checkpoints where task_id = $1 and jsonb_array_length(checkpoint->'tasks') > 0) as p`;

/** How many waiting tasks are given together. */
const AT_ONCE = 500;

const WAITERS = {
  name: 'waybill_waiters_after',
  text: `select page, tasks from waybill_waiters_after($1, $2, $3, ${AT_ONCE})`,
};

const STUCK = { name: 'waybill_stuck_after', text: 'select page, tasks from waybill_stuck_after($1, $2)' };

const WAITERS_OF = `
  select distinct p.task_id as task from prerequisites p
  where p.needs = any ($1::uuid[]) and not p.ignore and p.reservation is null order by 1 limit $2`;

const LINKS = `
  select p.task_id as task, p.needs from prerequisites p
  where p.task_id = any ($1::uuid[]) and p.needs = any ($1::uuid[]) and not p.ignore`;

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

  pageAfter(operation: string, page: number): Promise<TakenTasks | null> {
    const text = `select page, tasks from ${PAGES} where page > $2 order by page limit 1`;
    return this.first({ text, values: [operation, page] });
  }

  async waitersAfter(operation: string, { page, task }: WaiterPlace): Promise<WaitersPage | null> {
    const found = await this.first({ ...WAITERS, values: [operation, page, task] });
    return found && { tasks: found.tasks, after: { page: found.page, task: found.tasks.at(-1)! } };
  }

  stuckAfter(operation: string, page: number): Promise<TakenTasks | null> {
    return this.first({ ...STUCK, values: [operation, page] });
  }

  async waitersOf(tasks: readonly string[], limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ task: string }>(WAITERS_OF, [tasks, limit]);
    return rows.map(({ task }) => task);
  }

  async linksAmong(tasks: readonly string[]): Promise<readonly { readonly task: string; readonly needs: string }[]> {
    return (await this.pool.query<{ task: string; needs: string }>(LINKS, [tasks])).rows;
  }

  private async first(statement: pg.QueryConfig): Promise<TakenTasks | null> {
    return (await this.pool.query<TakenTasks>(statement)).rows[0] ?? null;
  }
}
