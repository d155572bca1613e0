-- The places of the ready tasks that have the next p_max turns in a queue with fair shares, that its limits leave room for, and no append has reserved.
-- p_steps: only tasks whose next step is one of these; null for all. The caller is inside the gate.
--
-- Looks only at as many values, and as many tasks of each, as may have a turn.
create function waybill_turn_places(q queues, p_steps text[], p_max int) returns setof tid language plpgsql as $$
declare
  v_now bigint := (select l.at from laned l where l.queue = q.name);
  v_rooms jsonb := waybill_rooms(q);
  v_room int := coalesce(least((q.policy->'perLabel'->>'maxRunning')::int, (q.policy->'perLabel'->'rate'->>'burst')::int), p_max);
  v_lanes turns[] := '{}';
  v_values int := 0;
  v_weight numeric := 0;
  v_empty text[] := '{}';
  v_open bigint;
  v_until bigint;
  v_ahead bigint;
  v_places tid[];
  t turns;
begin
  for t in select * from turns o where o.queue = q.name order by o.at, o.place loop
    exit when t.at > v_until or v_values = p_max and t.value <> v_lanes[cardinality(v_lanes)].value;
    v_open := least(p_max, coalesce((v_rooms->>waybill_lane_limit(t.lane))::int, v_room));
    -- Nobody who waits has had less than such a lane.
    if v_values = 0 and (select r.from_seq from ready r where r.queue = q.name and r.lane = t.lane order by r.priority desc, r.from_seq limit 1) is null then
      v_empty := v_empty || t.lane;
      v_now := greatest(v_now, t.at);
    elsif (select f.from_seq from waybill_lane_tasks(q.name, t.lane, p_steps, least(1, v_open)) f) is not null then
      if v_values = 0 or t.value <> v_lanes[cardinality(v_lanes)].value then
        v_values := v_values + 1;
        v_weight := v_weight + 1.0 / waybill_turn_length(q, t.value);
      end if;
      v_lanes := v_lanes || t;
      -- Many lanes without tasks may be behind one with many. All turns may be those of this one until then.
      if cardinality(v_lanes) = 1 and p_max = (select count(*) from waybill_lane_tasks(q.name, t.lane, p_steps, v_open)) then
        v_until := greatest(t.at, v_now) + p_max * waybill_turn_length(q, t.value);
      end if;
    end if;
  end loop;
  if cardinality(v_empty) >= :MOST_EMPTY then perform waybill_forget_turns(q.name, v_empty, v_now); end if;
  if v_values = 0 then return; end if;
  -- If all of them have enough tasks, these have so many turns until then. If not, the others have more.
  v_ahead := greatest(v_now, v_lanes[cardinality(v_lanes)].at) + ceil(p_max / v_weight);
  loop
    v_places := array(
      with lanes as materialized (
        select l.*, greatest(l.at, v_now) as start, waybill_turn_length(q, l.value) as length, coalesce((v_rooms->>waybill_lane_limit(l.lane))::int, v_room) as room
        from unnest(v_lanes) l),
      turns_of_values as (
        select f.place, l.at, l.place as since, l.start, l.length, row_number() over (partition by l.value order by f.priority desc, f.from_seq) - 1 as before
        from lanes l cross join lateral waybill_lane_tasks(q.name, l.lane, p_steps, least(p_max, l.room, (v_ahead - l.start) / l.length + 1)) f)
      select v.place from turns_of_values v
      order by v.start + v.before * v.length, case when v.before = 0 then v.at else v.start + v.before * v.length end, v.since limit p_max);
    exit when cardinality(v_places) = p_max or v_ahead >= v_now + p_max::bigint * :TURN + v_lanes[cardinality(v_lanes)].at;
    v_ahead := v_ahead + 4 * (v_ahead - v_now) + 1;
  end loop;
  return query select unnest(v_places);
end $$
