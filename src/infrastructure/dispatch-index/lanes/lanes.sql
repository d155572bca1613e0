-- The lanes of a queue in which tasks are ready that a worker with this offer may get. One look at the index for each.
create function waybill_lanes(p_queue text, p_offers jsonb) returns setof text language sql stable as $$
  with recursive met as materialized (
    select '{"needs" : ' || case n when '{}' then 'null' else n end || ', ' as beginning from waybill_met_needs(p_queue, p_offers, false) n),
  lanes(beginning, lane) as (
    select m.beginning, (select min(r.lane) from ready r where r.queue = p_queue and r.lane >= m.beginning) from met m
    union all
    select l.beginning, (select min(r.lane) from ready r where r.queue = p_queue and r.lane > l.lane) from lanes l where starts_with(l.lane, l.beginning))
  select l.lane from lanes l where starts_with(l.lane, l.beginning)
$$
