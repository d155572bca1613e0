-- The tasks of a queue, of those after p_after up to p_up_to, that have ended for long enough by a retention and whose rows
-- nobody needs in the lists. A task stays while its batch, or the one that it plans, may still report or repeat it, while others wait for
-- it or it would wait again, while it blocks its key, will be resumed after a shutdown, or cannot be read.
create function waybill_leaving(p_queue text, p_retention jsonb, p_after uuid, p_up_to uuid)
returns table (task_id uuid, state text, finished_at timestamptz, version xid) language sql stable as $$
  select t.task_id, t.state, t.finished_at, t.xmin
  from tasks t join jsonb_each_text(p_retention) as r(state, days) on r.state = t.state
  where t.queue = p_queue and t.task_id > p_after and t.task_id <= p_up_to and t.finished_at <= now() - r.days::int * interval '1 day'
    and not t.stopped
    and (not t.awaited or waybill_awaited_problem(t.task_id) is null)
    and (not t.dependent or t.state in ('succeeded', 'superseded', 'aborted', 'deleted')
      or not exists (select from prerequisites p where p.task_id = t.task_id and not p.closed))
    and (t.batch is null or exists (select from batches b where b.id = t.batch and b.state in ('completed', 'aborted', 'deleted'))
      and not exists (select from consequences c where c.id = t.batch))
    and (t.key is null or t.state <> 'failed' or not waybill_blocks_keys(t.queue))
    and not exists (select from batches b where b.planner = t.task_id and b.state not in ('completed', 'aborted', 'deleted'))
    and not exists (select from consequences c where c.id = t.task_id)
    and not exists (select from quarantined a where a.task_id = t.task_id)
$$
