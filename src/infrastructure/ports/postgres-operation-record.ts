import { Injectable } from '@nestjs/common';
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

const STUCK = `
  select o.page, s.tasks from ${PAGES.replace(' as p', ' as o')} cross join lateral (
    select array(select t.task_id from unnest(o.tasks) as n(id) join known_tasks t on t.task_id = n.id
      where t.state = 'aborted' and exists (select from prerequisites p where p.task_id = t.task_id and not p.ignore
        and p.reservation is null and waybill_prerequisite_state(p.needs) = 'aborted')) as tasks) s
  where o.page > $2 and cardinality(s.tasks) > 0 order by o.page limit 1`;

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
    return this.first(`select page, tasks from ${PAGES} where page > $2 order by page limit 1`, [operation, page]);
  }

  async waitersAfter(operation: string, { page, task }: WaiterPlace): Promise<WaitersPage | null> {
    const { rows } = await this.pool.query<TakenTasks>({ ...WAITERS, values: [operation, page, task] });
    const found = rows[0];
    return found ? { tasks: found.tasks, after: { page: found.page, task: found.tasks.at(-1)! } } : null;
  }

  stuckAfter(operation: string, page: number): Promise<TakenTasks | null> {
    return this.first(STUCK, [operation, page]);
  }

  async waitersOf(tasks: readonly string[], limit: number): Promise<readonly string[]> {
    const { rows } = await this.pool.query<{ task: string }>(WAITERS_OF, [tasks, limit]);
    return rows.map(({ task }) => task);
  }

  async linksAmong(tasks: readonly string[]): Promise<readonly { readonly task: string; readonly needs: string }[]> {
    return (await this.pool.query<{ task: string; needs: string }>(LINKS, [tasks])).rows;
  }

  private async first(text: string, values: readonly unknown[]): Promise<TakenTasks | null> {
    const { rows } = await this.pool.query<TakenTasks>(text, values as unknown[]);
    return rows[0] ?? null;
  }
}
