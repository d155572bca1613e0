-- The places of the first p_max ready tasks of a queue with lanes, in claim order, that the limits of each lane leave room for and no append has
-- reserved. p_steps: only tasks whose next step is one of these; null for all. p_offers: only tasks that need nothing else of their worker. The caller is inside
-- the gate.
--
-- Looks at the front of the line first, where most lanes are open most of the time. If it finds too few, it looks into each lane.
create function waybill_lane_places(q queues, p_steps text[], p_offers jsonb, p_max int) returns setof tid language plpgsql stable as $$
declare
  v_rooms jsonb := waybill_rooms(q);
  v_room int := coalesce(least((q.policy->'perLabel'->>'maxRunning')::int, (q.policy->'perLabel'->'rate'->>'burst')::int), p_max);
  v_window int := 4 * p_max + 100;
  v_seen int;
  v_places tid[];
begin
  with front as materialized (
    select r.*, row_number() over (partition by r.is_met, r.lane_limit order by r.priority desc, r.from_seq) as nth
    from (
      select r.ctid as place, p_offers @> waybill_lane_needs(r.lane) as is_met, waybill_lane_limit(r.lane) as lane_limit, r.priority, r.from_seq from ready r
      where r.queue = q.name and (p_steps is null or r.step = any (p_steps)) and (r.expires_at is null or r.expires_at > clock_timestamp())
        and not exists (select from reservations o where o.stream = r.task_id)
      order by r.priority desc, r.from_seq limit v_window) r)
  select (select count(*) from front),
    array(select f.place from front f where f.is_met and f.nth <= coalesce((v_rooms->>f.lane_limit)::int, v_room)
      order by f.priority desc, f.from_seq limit p_max)
    into v_seen, v_places;
  if v_seen < v_window or cardinality(v_places) = p_max then
    return query select unnest(v_places);
    return;
  end if;
  return query
    with lanes as materialized (
      select l.lane, l.lane_limit, coalesce((v_rooms->>l.lane_limit)::int, v_room) as room
      from (select l as lane, waybill_lane_limit(l) as lane_limit from waybill_lanes(q.name, p_offers) l) l),
    firsts as (
      select r.*, l.room, row_number() over (partition by l.lane_limit order by r.priority desc, r.from_seq) as nth
      from lanes l cross join lateral (
        select r.ctid as place, r.priority, r.from_seq from ready r
        where r.queue = q.name and r.lane = l.lane and (p_steps is null or r.step = any (p_steps)) and (r.expires_at is null or r.expires_at > clock_timestamp())
          and not exists (select from reservations o where o.stream = r.task_id)
        order by r.priority desc, r.from_seq limit greatest(0, least(p_max, l.room))) r)
    select f.place from firsts f where f.nth <= f.room order by f.priority desc, f.from_seq limit p_max;
end $$
