-- Takes a task out of the line for its key. p_stays: whether it keeps the waiting place, because it is placed again at
-- once.
create function waybill_key_leave(p_task uuid, p_queue text, p_key text, p_stays boolean) returns void language sql as $$
  update key_slots set ready = nullif(ready, p_task), waiting = case when p_stays then waiting else nullif(waiting, p_task) end
  where queue = p_queue and key = p_key
$$
