-- The reverse of waybill_open_needs: what waits for a task or batch directly.
create function waybill_open_waiters(p_id uuid) returns setof uuid language sql stable as $$
  select p.task_id from prerequisites p where p.needs = p_id and not p.closed
  union all
  select t.batch from tasks t where t.task_id = p_id and t.batch is not null and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
  union all
  select r.batch from reservations r where r.stream = p_id and r.batch is not null
  union all
  select b.id from batches b where b.planner = p_id and b.state = 'planning'
  union all
  select t.task_id from batches b join tasks t on t.batch = b.id where b.planner = p_id and b.state = 'planning'
$$
