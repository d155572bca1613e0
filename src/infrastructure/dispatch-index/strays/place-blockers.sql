-- What keeps the task of a place from running. Unlike the batch, the place knows whether it was let go with the others yet.
create function waybill_place_blockers(w waiting) returns int language sql stable as $$
  select (select count(*)::int from prerequisites p where p.task_id = w.task_id and not p.closed and p.reservation is null)
    + case when w.staged is null then 0 else 1 end
$$
