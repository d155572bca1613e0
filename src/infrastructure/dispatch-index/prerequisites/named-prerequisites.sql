-- The prerequisites that an event names, each once: the last of several for the same task or batch counts.
create function waybill_named_prerequisites(p_named jsonb) returns table (needs uuid, ignore boolean, is_batch boolean) language sql immutable as $$
  select distinct on (needs) coalesce(n.task, n.batch) as needs, coalesce(n.ignore, false), n.batch is not null
  from rows from (jsonb_to_recordset(p_named) as (task uuid, batch uuid, ignore boolean)) with ordinality as n(task, batch, ignore, place)
  order by needs, n.place desc
$$
