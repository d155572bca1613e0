import { Injectable } from '@nestjs/common';
import { IndexLook, MOST_WAITERS, type Waiters } from '../../application/bulk-operations/index-look.port.js';
import type { AppendItem, Refusal } from '../../application/kernel/event-store.port.js';
import { idOfStream } from '../../domain/aggregates.js';
import { ReadPool } from '../database/postgres-pool.js';
import { taskMove } from './changes/task-change.js';
import { guardsInTurn } from './guards.js';

const REFUSALS = {
  name: 'waybill_look_refusals',
  text: `select waybill_item_problem(i.task, i.guards, null, t.queue, null, case when i.waits then t.key end, false, t.batch, i.after, i.deleted) as problem
    from jsonb_to_recordset($1) as i(n int, task uuid, guards jsonb, waits boolean, after jsonb, deleted boolean)
    left join known_tasks t on t.task_id = i.task order by i.n`,
};

const ENDED = `('succeeded', 'superseded', 'aborted', 'deleted')`;

/** The rules are those of waybill_to_abort and waybill_unblock. */
const WAITERS = {
  name: 'waybill_look_waiters',
  text: `with recursive taken(id) as (
    select unnest($1::uuid[])
    union
    select p.task_id from taken x join prerequisites p on p.needs = x.id and not p.closed and not p.ignore and p.reservation is null
      join tasks t on t.task_id = p.task_id where t.state not in ${ENDED}),
  bounded as materialized (select id from taken limit $2 + cardinality($1::uuid[])),
  freed as (
    select p.task_id from bounded b join prerequisites p on p.needs = b.id and not p.closed and p.ignore and p.reservation is null
      join waiting w on w.task_id = p.task_id and w.gate = 'blocked'
    where not exists (select from bounded o where o.id = p.task_id)
    group by p.task_id, w.blockers having count(*) = w.blockers limit $2)
  select (select count(*)::int from bounded) - cardinality($1::uuid[]) as aborted, (select count(*)::int from freed) as unblocked`,
};

@Injectable()
export class PostgresIndexLook extends IndexLook {
  constructor(private readonly pool: ReadPool) {
    super();
  }

  async refusals(items: readonly AppendItem[]): Promise<readonly (Refusal | null)[]> {
    const values = [JSON.stringify(items.map(lookedAt))];
    const { rows } = await this.pool.query<{ problem: Refusal | null }>({ ...REFUSALS, values });
    return rows.map(({ problem }) => problem);
  }

  async waitersOf(tasks: readonly string[]): Promise<Waiters> {
    const { rows } = await this.pool.query<Waiters>({ ...WAITERS, values: [tasks, MOST_WAITERS] });
    return rows[0]!;
  }
}

function lookedAt(item: AppendItem, n: number) {
  const { state, after } = taskMove(item);
  return {
    n,
    task: idOfStream(item.stream),
    guards: guardsInTurn(item),
    waits: state === 'pending' || state === 'held',
    after,
    deleted: state === 'deleted',
  };
}
