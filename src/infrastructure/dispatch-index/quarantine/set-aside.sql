-- Puts aside tasks whose histories cannot be read, or whose rows are wrong or missing. A pending one leaves the ready lane and keeps its key. p_picked: the
-- caller's pick has taken them out of the lane. Returns those that were not aside before.
create function waybill_set_aside(p_tasks uuid[], p_positions bigint[], p_errors text[], p_picked boolean) returns uuid[] language plpgsql as $$
declare
  t tasks;
  v_new uuid[];
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  with added as (
    insert into quarantined as q (task_id, position, error, retry_at)
      select distinct on (a.task) a.task, a.position, a.error, now() + interval '30 seconds'
      from unnest(p_tasks, p_positions, p_errors) as a(task, position, error)
      on conflict (task_id) do update set position = excluded.position, error = excluded.error where not q.parked
      returning q.task_id, q.xmax = 0 as is_new)
  select coalesce(array_agg(a.task_id) filter (where a.is_new), '{}') into v_new from added a;
  for t in select * from tasks where task_id = any (p_tasks) loop
    if t.state <> 'pending' then
      delete from ready where queue = t.queue and task_id = t.task_id;
    elsif waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) or p_picked then
      insert into waiting (task_id, queue, gate, due_at, key, priority, place)
        values (t.task_id, t.queue, 'quarantined', t.due_at, t.key, t.priority, coalesce(t.place, t.seq)) on conflict (task_id) do nothing;
    end if;
  end loop;
  -- Only its row would say where in the lane it is.
  if exists (select from unnest(p_tasks) as a(task) where not exists (select from tasks k where k.task_id = a.task)) then
    delete from ready d where d.task_id = any (p_tasks) and not exists (select from tasks k where k.task_id = d.task_id);
  end if;
  return v_new;
end $$
