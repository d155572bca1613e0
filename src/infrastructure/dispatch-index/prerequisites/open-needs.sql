-- What a task waits for directly, including what an append in progress adds, or the unfinished tasks of a batch.
create function waybill_open_needs(p_id uuid) returns setof uuid language sql stable as $$
  select p.needs from prerequisites p where p.task_id = p_id and not p.closed
  union all
  select t.task_id from tasks t where t.batch = p_id and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
$$
