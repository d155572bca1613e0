-- How much keeps a task from running: its prerequisites that are not done, and its batch if that is not open.
create function waybill_blockers(t tasks) returns int language sql stable as $$
  select case when t.dependent then (
      select count(*)::int from prerequisites p where p.task_id = t.task_id and not p.closed and p.reservation is null) else 0 end
    + case when t.batch is null or waybill_staged_in(t.batch) is null then 0 else 1 end
$$
