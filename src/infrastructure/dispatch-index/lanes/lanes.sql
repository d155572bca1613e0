-- The lanes of a queue in which tasks are ready. One look at the index for each.
create function waybill_lanes(p_queue text) returns setof text language sql stable as $$
  with recursive lanes(lane) as (
    select min(r.lane) from ready r where r.queue = p_queue
    union all
    select (select min(r.lane) from ready r where r.queue = p_queue and r.lane > l.lane) from lanes l where l.lane is not null)
  select l.lane from lanes l where l.lane is not null
$$
