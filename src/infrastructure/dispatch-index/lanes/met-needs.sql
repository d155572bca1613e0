-- The needs that a worker with this offer meets, as lanes spell them: an empty object for nothing, and the beginnings of what others need. One look for each label offered that
-- goes on with one: whatever else is needed is never looked at. p_turns: of lanes with turns, which may have no ready task; else of those that have.
create function waybill_met_needs(p_queue text, p_offers jsonb, p_turns boolean) returns setof text language sql stable as $$
  with recursive offered as materialized (
    select o.at, to_json(o.name)::text || ': ' || o.value::text as label from jsonb_each(p_offers) with ordinality as o(name, value, at)),
  -- Lanes and offers have their labels in the same order, which is that of jsonb.
  beginnings(needs, at) as (
    select '{', 0::bigint
    union all
    select l.needs, l.at
    from beginnings b cross join lateral (select b.needs || case when b.at > 0 then ', ' else '' end || o.label as needs, o.at from offered o where o.at > b.at) l
    where case when p_turns
      then starts_with((select min(t.needs) from turns t where t.queue collate "C" = p_queue and t.needs >= l.needs), l.needs)
      else starts_with((select min(r.lane) from ready r where r.queue = p_queue and r.lane >= '{"needs" : ' || l.needs), '{"needs" : ' || l.needs) end)
  select b.needs || '}' from beginnings b
$$
