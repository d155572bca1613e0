-- Puts aside tasks whose histories cannot be read. A pending one leaves the ready lane and keeps its key. p_picked: the
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
      from unnest(p_tasks, p_positions, p_errors) as a(task, position, error) join tasks k on k.task_id = a.task
      on conflict (task_id) do update set position = excluded.position, error = excluded.error
      returning q.task_id, q.xmax = 0 as is_new)
  select coalesce(array_agg(a.task_id) filter (where a.is_new), '{}') into v_new from added a;
  for t in select * from tasks where task_id = any (p_tasks) and state = 'pending' loop
    if waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) or p_picked then
      insert into waiting (task_id, queue, gate, due_at, key, priority, place)
        values (t.task_id, t.queue, 'quarantined', t.due_at, t.key, t.priority, coalesce(t.place, t.seq)) on conflict (task_id) do nothing;
    end if;
  end loop;
  return v_new;
end $$
