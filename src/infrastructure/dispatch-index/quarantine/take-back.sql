-- Takes back tasks that can be read again. Those that were taken out of the ready lane are placed again. Returns the
-- queues that may now have tasks to give out.
create function waybill_take_back(p_tasks uuid[]) returns text[] language plpgsql as $$
declare
  w waiting;
  v_queues text[] := '{}';
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from quarantined where task_id = any (p_tasks);
  for w in
    with back as (delete from waiting where task_id = any (p_tasks) and gate = 'quarantined' returning *)
    select * from back order by priority desc, place
  loop
    update key_slots set ready = null where queue = w.queue and key = w.key and ready = w.task_id;
    -- It may have kept a task with a higher priority from its key.
    perform waybill_next_of_key(null, w.queue, w.key) where w.key is not null;
    perform waybill_offer(w.task_id, w.queue, w.key, w.priority, w.place, w.due_at, waybill_blockers(t), waybill_staged_in(t.batch), clock_timestamp())
      from tasks t where t.task_id = w.task_id and t.state = 'pending';
    v_queues := v_queues || w.queue;
  end loop;
  return v_queues;
end $$
