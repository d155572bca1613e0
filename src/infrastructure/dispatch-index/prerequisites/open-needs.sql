-- What a task waits for directly, or the unfinished tasks of a batch. Both include what an append in progress adds. A batch that is
-- being planned, and each task of it, also wait for the task that plans it.
create function waybill_open_needs(p_id uuid) returns setof uuid language sql stable as $$
  select p.needs from prerequisites p where p.task_id = p_id and not p.closed
  union all
  select t.task_id from tasks t where t.batch = p_id and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
  union all
  select r.stream from reservations r where r.batch = p_id
  union all
  select p.task_id from batches b join tasks p on p.task_id = b.planner
  where b.id in (p_id, (select t.batch from tasks t where t.task_id = p_id)) and b.state = 'planning'
    and p.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
$$
