-- Gives the key to a new task that begins to run.
create function waybill_start_key(p_task uuid, p_queue text, p_key text) returns void language sql as $$
  insert into key_slots (queue, key) values (p_queue, p_key) on conflict (queue, key) do nothing;
  select waybill_occupy_key(p_task, p_queue, p_key)
$$
