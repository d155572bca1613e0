-- The places of the ready tasks that have the next p_max turns in a queue with fair shares, that its limits leave room for, and no append has reserved.
-- p_steps: only tasks whose next step is one of these; null for all. The caller is inside the gate.
--
-- Looks at the first task of as many values as may have a turn. Only if some of these have more than one before the last of them has its first, it looks at so
-- many tasks of each.
create function waybill_turn_places(q queues, p_steps text[], p_max int) returns tid[] language plpgsql as $$
declare
  v_weights jsonb := waybill_turn_weights(q);
  v_now bigint := (select l.at from laned l where l.queue = q.name);
  v_rooms jsonb := case when q.lane_label is not null then waybill_rooms(q) end;
  v_room int := coalesce(least((q.policy->'perLabel'->>'maxRunning')::int, (q.policy->'perLabel'->'rate'->>'burst')::int), p_max);
  v_places tid[];
  v_lanes turns[];
  v_last bigint;
  v_second bigint;
  v_ahead bigint;
begin
  with firsts as materialized (
    select o as turn, f.place, greatest(o.at, v_now) as start, waybill_turn_length(v_weights, q.fair_label, o.value) as length
    from turns o cross join lateral waybill_lane_tasks(q.name, o.lane, p_steps,
      least(1, case when v_rooms is null then v_room else greatest(0, coalesce((v_rooms->>waybill_lane_limit(o.lane))::int, v_room)) end)) f
    where o.queue collate "C" = q.name order by o.at, o.place limit p_max)
  select array_agg(f.place), array_agg(f.turn), max(f.start), min(f.start + f.length) into v_places, v_lanes, v_last, v_second from firsts f;
  perform waybill_forget_turns(q.name, v_lanes[1]);
  if v_lanes is null then return '{}'; end if;
  if cardinality(v_lanes) = p_max and v_last < v_second then return v_places; end if;
  -- The last of so many values has its turn by then. If all have enough tasks, these have so many turns until then.
  v_ahead := (
    select least(case when cardinality(v_lanes) = p_max then v_last end, v_now + ceil((p_max + sum((s.start - v_now)::float8 / s.length)) / sum(1::float8 / s.length)))
    from (select greatest(l.at, v_now) as start, waybill_turn_length(v_weights, q.fair_label, l.value) as length from unnest(v_lanes) l) s);
  loop
    with lanes as materialized (
      select l.lane, l.at, l.place as since, greatest(l.at, v_now) as start, waybill_turn_length(v_weights, q.fair_label, l.value) as length,
        least(p_max, case when v_rooms is null then v_room else greatest(0, coalesce((v_rooms->>waybill_lane_limit(l.lane))::int, v_room)) end) as room
      from unnest(v_lanes) l),
    turns_of_lanes as materialized (
      select l.*, a.tasks, f.place, f.before, l.start + f.before * l.length as turn
      from lanes l cross join lateral (select greatest(0, least(l.room, floor((v_ahead - l.start)::float8 / l.length) + 1))::int as tasks) a
      left join lateral (
        select r.place, row_number() over (order by r.priority desc, r.from_seq) - 1 as before from waybill_lane_tasks(q.name, l.lane, p_steps, a.tasks) r) f on true),
    -- Lanes with further tasks.
    open as (select greatest(o.start, v_ahead) as start, o.length from turns_of_lanes o where coalesce(o.before + 1, 0) = o.tasks and o.tasks < o.room)
    select array(select t.place from turns_of_lanes t where t.place is not null
        order by t.turn, case when t.before = 0 then t.at else t.turn end, t.since limit p_max),
      (select v_now + ceil((p_max - (select count(t.place) from turns_of_lanes t) + count(*) + sum((o.start - v_now)::float8 / o.length)) / sum(1::float8 / o.length)) from open o)
      into v_places, v_ahead;
    exit when cardinality(v_places) = p_max or v_ahead is null;
  end loop;
  return v_places;
end $$
