-- The lanes of a queue in which tasks are ready that a worker with this offer may get. One look at the index for each, and one for each label offered that
-- goes on with the beginning of one's needs: whatever else is needed is never looked at.
create function waybill_lanes(p_queue text, p_offers jsonb) returns setof text language sql stable as $$
  with recursive offered as materialized (
    select o.at, to_json(o.name)::text || ': ' || o.value::text as label from jsonb_each(p_offers) with ordinality as o(name, value, at)),
  -- Lanes and offers have their labels in the same order, which is that of jsonb.
  beginnings(needs, at) as (
    select '{', 0::bigint
    union all
    select b.needs || l.label, l.at
    from beginnings b cross join lateral (select o.at, case when b.at > 0 then ', ' else '' end || o.label as label from offered o where o.at > b.at) l
    where starts_with(
      (select min(r.lane) from ready r where r.queue = p_queue and r.lane >= '{"needs" : ' || b.needs || l.label), '{"needs" : ' || b.needs || l.label)),
  met as (
    select '{"needs" : null, ' as beginning
    union all
    select '{"needs" : ' || b.needs || '}, ' from beginnings b where b.at > 0),
  lanes(beginning, lane) as (
    select m.beginning, (select min(r.lane) from ready r where r.queue = p_queue and r.lane >= m.beginning) from met m
    union all
    select l.beginning, (select min(r.lane) from ready r where r.queue = p_queue and r.lane > l.lane) from lanes l where starts_with(l.lane, l.beginning))
  select l.lane from lanes l where starts_with(l.lane, l.beginning)
$$
