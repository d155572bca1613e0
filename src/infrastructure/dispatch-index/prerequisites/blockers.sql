-- The number of a task's prerequisites that are not done.
create function waybill_blockers(p_task uuid) returns int language sql stable as $$
  select count(*)::int from prerequisites where task_id = p_task and not closed and reservation is null
$$
