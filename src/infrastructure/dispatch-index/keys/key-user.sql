-- Another task that keeps a new one from running under its key at once: one that runs, stands in line, or blocks the key.
-- Null if there is none, or if the new task has the key already, from a reservation.
create function waybill_key_user(p_task uuid, p_queue text, p_key text) returns uuid language sql as $$
  select u.task_id from (
      select coalesce(s.running, s.ready, s.waiting) as task_id from key_slots s where s.queue = p_queue and s.key = p_key
      union all select w.task_id from waiting w where w.queue = p_queue and w.key = p_key and w.gate = 'key'
      union all select (waybill_key_blocker(p_queue, p_key)).task_id) u
  where u.task_id is not null
    and not exists (select from key_slots s where s.queue = p_queue and s.key = p_key and s.running = p_task) limit 1
$$
