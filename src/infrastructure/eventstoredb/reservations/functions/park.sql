-- Puts aside tasks and triggers whose events the index cannot apply, and ends the reservations of these events. The index keeps
-- their rows as of the last event that it applied; the rest is applied when a build can. A claim among them gets no lease, and a
-- trigger has one row in events_put_aside, of the first event.
create function waybill_park(p_parked jsonb) returns void language plpgsql as $$
declare
  t tasks;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  perform waybill_end_leases(array(select value::bigint from jsonb_each_text(waybill_end_reservations(p_parked))));
  insert into quarantined as q (task_id, position, error, parked, retry_at)
    select distinct on (c.task) c.task, c.position, c.error, true, now()
    from jsonb_to_recordset(p_parked) as c(task uuid, position bigint, error text) where c.task is not null order by c.task, c.position
    on conflict (task_id) do update set parked = true, position = case when q.parked then q.position else excluded.position end,
      error = case when q.parked then q.error else excluded.error end;
  insert into events_put_aside (follower, line, position, at, error, tries)
    select distinct on (c.trigger) :INDEX_FOLLOWER, c.trigger, c.position, c.at, c.error, 1
    from jsonb_to_recordset(p_parked) as c(trigger text, position bigint, at timestamptz, error text)
    where c.trigger is not null and not exists (select from events_put_aside a where a.follower = :INDEX_FOLLOWER and a.line = c.trigger)
    order by c.trigger, c.position;
  for t in select * from tasks where state = 'pending'
    and task_id = any (array(select (c->>'task')::uuid from jsonb_array_elements(p_parked) as c))
  loop
    if waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) then
      insert into waiting (task_id, queue, gate, due_at, key, priority, place)
        values (t.task_id, t.queue, 'quarantined', t.due_at, t.key, t.priority, coalesce(t.place, t.seq)) on conflict (task_id) do nothing;
    end if;
  end loop;
end $$
