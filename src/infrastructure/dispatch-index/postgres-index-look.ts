import { Injectable } from '@nestjs/common';
import { IndexLook, MOST_WAITERS, type Waiters } from '../../application/bulk-operations/index-look.port.js';
import { type AppendItem, NO_STREAM, type Refusal } from '../../application/kernel/event-store.port.js';
import { categoryOf, idOfStream } from '../../domain/aggregates.js';
import { TASK_CATEGORY } from '../../domain/task/task.stream.js';
import { ReadPool } from '../database/postgres-pool.js';
import { streamKey } from '../database/stream-key.js';
import { taskMove } from './changes/task-change.js';
import { guardsBefore, guardsInTurn } from './guards.js';

const REFUSALS = {
  name: 'waybill_look_refusals',
  text: `select waybill_item_problem(i.stream, i.guards, i.new, coalesce(i.queue, t.queue), i.reference, case when i.waits then coalesce(i.key, t.key) end,
      i.created, coalesce(i.batch, t.batch), i.after, i.deleted, $2) as problem
    from jsonb_to_recordset($1) as i(n int, stream uuid, guards jsonb, new text, queue text, reference text, key text, waits boolean, created boolean,
      batch uuid, after jsonb, deleted boolean)
    left join known_tasks t on t.task_id = i.stream order by i.n`,
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

  async refusals(items: readonly AppendItem[], created: readonly string[] = []): Promise<readonly (Refusal | null)[]> {
    const begun = created.filter((stream) => categoryOf(stream) === TASK_CATEGORY).map(idOfStream);
    const values = [JSON.stringify(items.map(lookedAt)), begun];
    const { rows } = await this.pool.query<{ problem: Refusal | null }>({ ...REFUSALS, values });
    return rows.map(({ problem }) => problem);
  }

  async waitersOf(tasks: readonly string[]): Promise<Waiters> {
    const { rows } = await this.pool.query<Waiters>({ ...WAITERS, values: [tasks, MOST_WAITERS] });
    return rows[0]!;
  }
}

function lookedAt(item: AppendItem, n: number) {
  const { id: stream, category } = streamKey(item.stream);
  const guards = { ...guardsBefore(item), ...guardsInTurn(item) };
  const isNew = item.expected === NO_STREAM;
  return { n, stream, guards, ...(isNew && { new: category }), ...(category === TASK_CATEGORY && ofTask(item)) };
}

function ofTask(item: AppendItem) {
  const { state, after, created, rerun } = taskMove(item);
  return {
    waits: state === 'pending' || state === 'held',
    created: created !== null,
    after,
    deleted: state === 'deleted',
    ...(created && { queue: created.queue, key: created.key, batch: created.batch }),
    // A copy has the reference of its original, which keeps it from others.
    ...(created && !rerun && { reference: created.reference }),
  };
}
