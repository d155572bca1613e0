-- Whether a task has a key and was given out before.
create function waybill_has_begun(t tasks) returns boolean language sql immutable as $$
  select t.key is not null and (t.attempt > 0 or t.place is not null)
$$
