-- Finds an unfinished task that waits for this one, which then cannot be deleted. Tasks of a deleted batch are deleted
-- as well.
create function waybill_awaited_problem(p_id uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('kind', 'refused', 'constraint', 'task-awaited', 'taskId', p.task_id)
  from prerequisites p where p.needs = p_id and not p.closed
    and coalesce((select t.state from known_tasks t where t.task_id = p.task_id), 'new') not in ('succeeded', 'superseded', 'aborted', 'deleted')
    and not exists (select from tasks d join batches b on b.id = d.batch where d.task_id = p.task_id and b.state = 'deleted')
  limit 1
$$
