-- Whether an ended task may leave the lists once it is old enough: nobody needs its row there. It stays while its batch, or
-- the one that it plans, may still report or repeat it, while others wait for it or it would wait again, while it blocks its
-- key, will be resumed after a shutdown, or cannot be read.
create function waybill_leaves_lists(t tasks) returns boolean language sql stable as $$
  select not t.stopped
    and (not t.awaited or waybill_awaited_problem(t.task_id) is null)
    and (not t.dependent or t.state in ('succeeded', 'superseded', 'aborted', 'deleted')
      or not exists (select from prerequisites p where p.task_id = t.task_id and not p.closed))
    and (t.batch is null or exists (select from batches b where b.id = t.batch and b.state in ('completed', 'aborted', 'deleted')))
    and (t.key is null or t.state <> 'failed' or not waybill_blocks_keys(t.queue))
    and not exists (select from batches b where b.planner = t.task_id and b.state not in ('completed', 'aborted', 'deleted'))
    and not exists (select from consequences c where c.id = t.task_id or c.id = t.batch)
    and not exists (select from quarantined a where a.task_id = t.task_id)
$$
