-- Gives the key to a task that runs or is about to. Until that task leaves the key, no task of the key is ready, so a
-- ready one goes back in line.
create function waybill_occupy_key(p_task uuid, p_queue text, p_key text) returns void language plpgsql as $$
begin
  perform waybill_key_requeue(r) from key_slots s join tasks r on r.task_id = s.ready where s.queue = p_queue and s.key = p_key;
  update key_slots set running = p_task, ready = null where queue = p_queue and key = p_key;
end $$
