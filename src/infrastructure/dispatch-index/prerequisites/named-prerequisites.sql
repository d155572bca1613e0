-- The prerequisites that an event names.
create function waybill_named_prerequisites(p_named jsonb) returns table (needs uuid, ignore boolean) language sql immutable as $$
  select coalesce(n.task, n.batch), coalesce(n.ignore, false) from jsonb_to_recordset(p_named) as n(task uuid, batch uuid, ignore boolean)
$$
