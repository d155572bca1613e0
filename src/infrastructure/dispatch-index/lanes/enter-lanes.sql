-- Gives all ready tasks of a queue the lanes that its policy says, once after each change of what says them. The caller is inside the gate.
create function waybill_enter_lanes(q queues) returns void language plpgsql as $$
declare
  v_laned laned;
begin
  select * into v_laned from laned l where l.queue = q.name;
  if v_laned.policy_version = q.policy_version then return; end if;
  -- It may have had no lanes in between. If it has its first policy, the appends have given its tasks theirs.
  if v_laned.queue is null and q.policy_version = 1 then
    insert into laned (queue, laned_by, policy_version) values (q.name, waybill_laned_by(q), q.policy_version);
    return;
  elsif v_laned.laned_by = waybill_laned_by(q) and not exists (select from ready r where r.queue = q.name and r.lane is null) then
    update laned set policy_version = q.policy_version where queue = q.name;
    return;
  end if;
  loop
    with left_lane as (
      delete from ready r where r.queue = q.name
        and (r.lane is null or r.lane <> (select waybill_lane(q, t.labels, t.needs) from tasks t where t.task_id = r.task_id)) returning r.*),
    apart as (
      select l.*, l.from_seq as place, l.task_id as task from left_lane l where l.task_id is not null
      union all
      select l.*, p.place, (select s.streams[p.place - s.position + 1] from segments s
          where s.position > p.place - 64 and s.position <= p.place and s.position + s.n > p.place)
        from left_lane l cross join lateral generate_series(l.from_seq, l.to_seq) as p(place) where l.task_id is null)
    insert into ready (queue, priority, from_seq, to_seq, task_id, step, lane, since, expires_at)
      select a.queue, a.priority, a.place, a.place, t.task_id, a.step,
        -- A place without a task has one too, so that a claim finds it and says so.
        waybill_lane(q, t.labels, t.needs), a.since, a.expires_at
      from apart a left join tasks t on t.task_id = a.task;
    -- An append may be splitting an extent. What it leaves is found by the next look.
    exit when not found;
  end loop;
  if q.fair_label is not null then
    -- From now on, the appends give them to the lanes that begin to wait.
    perform pg_advisory_xact_lock(:LOG_LOCK);
    update turns t set needs = waybill_turn_needs(q, t.lane) where t.queue = q.name and t.needs is distinct from waybill_turn_needs(q, t.lane);
    with made_ready as (
      select q.name as queue, r.lane, min(r.from_seq) as from_seq from ready r where r.queue = q.name group by r.lane)
    :BEGIN_TURNS;
  end if;
  insert into laned (queue, laned_by, policy_version) values (q.name, waybill_laned_by(q), q.policy_version)
    on conflict (queue) do update set laned_by = excluded.laned_by, policy_version = excluded.policy_version;
end $$
