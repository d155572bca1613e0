-- Finds an unfinished task outside a batch that waits for the batch, or for a task of it that would be deleted with it.
create function waybill_batch_awaited_problem(p_batch uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('kind', 'refused', 'constraint', 'task-awaited', 'taskId', p.task_id)
  from (select p_batch as id union all
      select t.task_id from tasks t where t.batch = p_batch and t.awaited and t.state not in ('succeeded', 'superseded', 'deleted')
      -- A reserved task does not mark yet what it waits for.
      union all
      select r.needs from prerequisites r join tasks t on t.task_id = r.needs
        where r.reservation is not null and t.batch = p_batch and t.state not in ('succeeded', 'superseded', 'deleted')) n
    join prerequisites p on p.needs = n.id and not p.closed
  where not exists (select from known_tasks d where d.task_id = p.task_id
    and (d.batch = p_batch or d.state in ('succeeded', 'superseded', 'aborted', 'deleted')))
  limit 1
$$
