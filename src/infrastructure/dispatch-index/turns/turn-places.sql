-- The places of the ready tasks that have the next p_max turns in a queue with fair shares, that its limits leave room for, and no append has reserved.
-- p_steps: only tasks whose next step is one of these; null for all. p_offers: only tasks that need nothing else of their worker. The caller is inside the gate.
--
-- Looks at the first task of each lane of as many values as may have a turn. Only if some of these have more than one before the last of them has its first, it looks at
-- so many tasks of each.
create function waybill_turn_places(q queues, p_steps text[], p_offers jsonb, p_max int) returns tid[] language plpgsql as $$
declare
  v_weights jsonb := waybill_turn_weights(q);
  v_now bigint := (select l.at from laned l where l.queue = q.name);
  v_rooms jsonb := case when q.lane_label is not null then waybill_rooms(q) end;
  v_room int := coalesce(least((q.policy->'perLabel'->>'maxRunning')::int, (q.policy->'perLabel'->'rate'->>'burst')::int), p_max);
  v_needs text[] := case when jsonb_typeof(q.policy->'needs') = 'object' then array(select waybill_met_needs(q.name, p_offers, true)) else '{""}' end;
  v_places tid[];
  v_lanes turns[];
  v_values int;
  v_last bigint;
  v_second bigint;
  v_ahead bigint;
begin
  with firsts as materialized (
    select f.turn, f.place, f.priority, f.from_seq, f.start, f.start + waybill_turn_length(v_weights, q.fair_label, (f.turn).value) as second,
      dense_rank() over (order by (f.turn).at, (f.turn).place, (f.turn).value) as nth
    from unnest(v_needs) n cross join lateral (
      select o as turn, f.*, greatest(o.at, v_now) as start
      from turns o cross join lateral waybill_lane_tasks(q.name, o.lane, p_steps,
        least(1, case when v_rooms is null then v_room else greatest(0, coalesce((v_rooms->>waybill_lane_limit(o.lane))::int, v_room)) end)) f
      where o.queue collate "C" = q.name and o.needs = n order by o.at, o.place limit p_max) f)
  select array_agg(f.turn order by f.nth), max(f.nth), max(f.start), min(f.second), array_agg(f.place) filter (where f.is_first)
    into v_lanes, v_values, v_last, v_second, v_places
    from (select *, row_number() over (partition by nth order by priority desc, from_seq) = 1 as is_first from firsts where nth <= p_max) f;
  perform waybill_forget_turns(q.name, v_needs, v_lanes[1]);
  if v_lanes is null then return '{}'; end if;
  if v_values = p_max and v_last < v_second then return v_places; end if;
  -- The last of so many values has its turn by then. If all have enough tasks, these have so many turns until then.
  v_ahead := (
    select least(case when v_values = p_max then v_last end, v_now + ceil((p_max + sum((s.start - v_now)::float8 / s.length)) / sum(1::float8 / s.length)))
    from (select greatest(min(l.at), v_now) as start, waybill_turn_length(v_weights, q.fair_label, l.value) as length from unnest(v_lanes) l group by l.value) s);
  loop
    with values_in_turn as materialized (
      select array_agg(l.lane) as lanes, min(l.at) as at, min(l.place) as since, greatest(min(l.at), v_now) as start, waybill_turn_length(v_weights, q.fair_label, l.value) as length,
        least(p_max, case when v_rooms is null then v_room else greatest(0, coalesce((v_rooms->>waybill_lane_limit(min(l.lane)))::int, v_room)) end) as room
      from unnest(v_lanes) l group by l.value),
    turns_of_values as materialized (
      select l.*, a.tasks, f.place, f.before, l.start + f.before * l.length as turn
      from values_in_turn l cross join lateral (select greatest(0, least(l.room, floor((v_ahead - l.start)::float8 / l.length) + 1))::int as tasks) a
      left join lateral (
        select r.place, row_number() over (order by r.priority desc, r.from_seq) - 1 as before
        from unnest(l.lanes) n(lane) cross join lateral waybill_lane_tasks(q.name, n.lane, p_steps, a.tasks) r order by r.priority desc, r.from_seq limit a.tasks) f on true),
    -- Values with further tasks.
    open as (select greatest(o.start, v_ahead) as start, o.length from turns_of_values o where coalesce(o.before + 1, 0) = o.tasks and o.tasks < o.room)
    select array(select t.place from turns_of_values t where t.place is not null
        order by t.turn, case when t.before = 0 then t.at else t.turn end, t.since limit p_max),
      (select v_now + ceil((p_max - (select count(t.place) from turns_of_values t) + count(*) + sum((o.start - v_now)::float8 / o.length)) / sum(1::float8 / o.length)) from open o)
      into v_places, v_ahead;
    exit when cardinality(v_places) = p_max or v_ahead is null;
  end loop;
  return v_places;
end $$
