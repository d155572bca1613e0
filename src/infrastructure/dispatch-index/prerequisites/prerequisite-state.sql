-- The state of a task or batch that others wait for; null if there is none.
create function waybill_prerequisite_state(p_needs uuid) returns text language sql stable as $$
  select coalesce((select t.state from known_tasks t where t.task_id = p_needs), (select b.state from batches b where b.id = p_needs))
$$
