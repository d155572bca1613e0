-- What a task waits for directly, or the unfinished tasks of a batch. Both include what an append in progress adds.
create function waybill_open_needs(p_id uuid) returns setof uuid language sql stable as $$
  select p.needs from prerequisites p where p.task_id = p_id and not p.closed
  union all
  select t.task_id from tasks t where t.batch = p_id and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
  union all
  select r.stream from reservations r where r.batch = p_id
$$
