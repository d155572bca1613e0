-- The places of the first p_max ready tasks of a queue with lanes, in claim order, that the limits of each lane leave room for and no append has
-- reserved. p_steps: only tasks whose next step is one of these; null for all. The caller is inside the gate.
--
-- Looks at the front of the line first, where most lanes are open most of the time. If it finds too few, it looks into each lane.
create function waybill_lane_places(q queues, p_steps text[], p_max int) returns setof tid language plpgsql stable as $$
declare
  v_prefix text := waybill_lane_prefix(q);
  -- Null without such a limit.
  v_most int := (q.policy->'perLabel'->>'maxRunning')::int;
  v_burst int := (q.policy->'perLabel'->'rate'->>'burst')::int;
  -- Lanes whose values have limits of their own.
  v_own jsonb := (
    select coalesce(jsonb_object_agg(l.lane, waybill_lane_limits(q, l.lane)), '{}')
    from jsonb_array_elements(q.policy->'perLabel'->'values') v cross join lateral (select jsonb_build_object(q.lane_label, v->>'value')::text as lane) l);
  v_free jsonb := (
    select coalesce(jsonb_object_agg(p.lane, waybill_free_starts(waybill_lane_limits(q, p.lane)->'rate', p.used_until, clock_timestamp())), '{}') from paces p
    where p.queue = q.name and p.lane <> '' and p.used_until > clock_timestamp());
  v_running jsonb := (select coalesce(jsonb_object_agg(r.lane, r.tasks), '{}') from waybill_lanes_running(q) r);
  v_window int := 4 * p_max + 100;
  v_seen int;
  v_places tid[];
begin
  with front as materialized (
    select r.*, row_number() over (partition by r.lane order by r.priority desc, r.from_seq) as nth
    from (
      select r.ctid as place, r.lane, r.priority, r.from_seq from ready r
      where r.queue = q.name and (p_steps is null or r.step = any (p_steps)) and (r.expires_at is null or r.expires_at > clock_timestamp())
        and not exists (select from reservations o where o.stream = r.task_id)
      order by r.priority desc, r.from_seq limit v_window) r)
  select (select count(*) from front),
    array(select f.place from front f
      where starts_with(f.lane, v_prefix) and f.nth <= least(coalesce((v_own->f.lane->>'maxRunning')::int, v_most) - coalesce((v_running->>f.lane)::int, 0),
        coalesce((v_free->>f.lane)::int, (v_own->f.lane->'rate'->>'burst')::int, v_burst))
      order by f.priority desc, f.from_seq limit p_max)
    into v_seen, v_places;
  if v_seen < v_window or cardinality(v_places) = p_max then
    return query select unnest(v_places);
    return;
  end if;
  return query
    with recursive lanes(lane) as (
      select min(r.lane) from ready r where r.queue = q.name
      union all
      select (select min(r.lane) from ready r where r.queue = q.name and r.lane > l.lane) from lanes l where l.lane is not null)
    select r.place from lanes l cross join lateral (
      select r.ctid as place, r.priority, r.from_seq from ready r
      where r.queue = q.name and r.lane = l.lane and (p_steps is null or r.step = any (p_steps)) and (r.expires_at is null or r.expires_at > clock_timestamp())
        and not exists (select from reservations o where o.stream = r.task_id)
      order by r.priority desc, r.from_seq limit greatest(0, least(p_max, coalesce((v_own->l.lane->>'maxRunning')::int, v_most) - coalesce((v_running->>l.lane)::int, 0),
        coalesce((v_free->>l.lane)::int, (v_own->l.lane->'rate'->>'burst')::int, v_burst)))) r
    where starts_with(l.lane, v_prefix)
    order by r.priority desc, r.from_seq limit p_max;
end $$
