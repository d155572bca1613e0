-- Puts a key's ready task back in line if an earlier task of the key now blocks it.
create function waybill_key_requeue_blocked(p_queue text, p_key text) returns void language plpgsql as $$
declare
  v_blocker tasks := waybill_key_blocker(p_queue, p_key);
  t tasks;
begin
  if v_blocker.task_id is null then return; end if;
  select r.* into t from key_slots s join tasks r on r.task_id = s.ready where s.queue = p_queue and s.key = p_key and r.seq > v_blocker.seq;
  if found and waybill_key_requeue(t) then update key_slots set ready = null where queue = p_queue and key = p_key; end if;
end $$
