-- What ready tasks of a queue need of their workers, up to p_most different needs, and the step of one of the tasks that do.
create function waybill_needs_in_line(p_queue text, p_most int) returns table (needs jsonb, step text) language sql stable as $$
  with recursive lanes(lane, nth) as (
    select (select min(r.lane) from ready r where r.queue = p_queue and r.lane >= '{"needs" : {'), 1
    union all
    -- Beyond all lanes with the same needs: what follows them there is a comma.
    select (select min(r.lane) from ready r where r.queue = p_queue and r.lane > '{"needs" : ' || waybill_lane_needs(l.lane)::text || '-'), l.nth + 1
    from lanes l where starts_with(l.lane, '{"needs" : {') and l.nth < p_most)
  select waybill_lane_needs(l.lane), (select r.step from ready r where r.queue = p_queue and r.lane = l.lane order by r.priority desc, r.from_seq limit 1)
  from lanes l where starts_with(l.lane, '{"needs" : {')
$$
