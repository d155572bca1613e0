-- The state of a task or batch that others wait for; null if there is none.
create function waybill_prerequisite_state(p_needs uuid) returns text language sql stable as $$
  select t.state from tasks t where t.task_id = p_needs
$$
