-- How many turns come before that of a ready task, if nothing else becomes ready and nothing limits them. Counted up to p_most. Null if it has no turn yet.
create function waybill_turns_before(q queues, p_task tasks, p_most int) returns int language plpgsql stable as $$
declare
  v_weights jsonb := waybill_turn_weights(q);
  v_now bigint := coalesce((select l.at from laned l where l.queue = q.name), 0);
  v_before int;
  v_turn bigint;
  v_since bigint;
  v_value text;
  v_left bigint;
  v_length bigint;
  v_tasks int;
  o turns;
  t turns;
begin
  select * into o from turns w where w.queue = q.name and w.value = waybill_turn_of(q, p_task.labels)::text limit 1;
  if not found then return null; end if;
  v_before := (select count(*) from turns w cross join lateral (
      select from ready r where r.queue = q.name and r.lane = w.lane and (r.priority, -r.from_seq) > (p_task.priority, -coalesce(p_task.place, p_task.seq)) limit p_most) r
    where w.queue = q.name and w.value = o.value);
  v_turn := greatest(o.at, v_now) + v_before * waybill_turn_length(v_weights, q.fair_label, o.value);
  v_since := case when v_before = 0 then o.at else v_turn end;
  for t in
    with recursive needs(needs) as (
      select min(w.needs) from turns w where w.queue collate "C" = q.name
      union all
      select (select min(w.needs) from turns w where w.queue collate "C" = q.name and w.needs > n.needs) from needs n where n.needs is not null)
    select w.* from needs n cross join lateral (
      -- Lanes without tasks stay for a while, maybe more than so many. Asks for the first of each, as claims do.
      select * from turns w where w.queue collate "C" = q.name and w.needs = n.needs and w.at <= v_turn and w.value <> o.value
        and (select r.from_seq from ready r where r.queue = q.name and r.lane = w.lane order by r.priority desc, r.from_seq limit 1) is not null
      order by w.at, w.place limit p_most) w
    order by w.at, w.place
  loop
    exit when v_before >= p_most;
    if t.value is distinct from v_value then
      v_value := t.value;
      v_length := waybill_turn_length(v_weights, q.fair_label, t.value);
      v_left := (v_turn - greatest(t.at, v_now) + v_length - 1) / v_length;
      -- One at the same time comes first if its lane has waited for it longer.
      if greatest(t.at, v_now) + v_left * v_length = v_turn and (case when v_left = 0 then t.at else v_turn end, t.place) < (v_since, o.place) then
        v_left := v_left + 1;
      end if;
    end if;
    v_tasks := (select count(*) from (select from ready r where r.queue = q.name and r.lane = t.lane limit least(v_left, p_most - v_before)) r);
    v_before := v_before + v_tasks;
    v_left := v_left - v_tasks;
  end loop;
  return least(v_before, p_most);
end $$
