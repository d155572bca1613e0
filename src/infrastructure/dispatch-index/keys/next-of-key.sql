-- Frees the key of a task and makes the next task in line ready.
create function waybill_next_of_key(p_task uuid, p_queue text, p_key text) returns void language plpgsql as $$
declare
  v_slot key_slots;
  v_blocker bigint := (waybill_key_blocker(p_queue, p_key)).seq;
  v_next waiting;
begin
  update key_slots set running = nullif(running, p_task) where queue = p_queue and key = p_key returning * into v_slot;
  if not found or v_slot.running is not null or v_slot.ready is not null then return; end if;
  select * into v_next from waiting where queue = p_queue and key = p_key and gate = 'key'
    and (v_blocker is null or seq < v_blocker) order by priority desc, seq limit 1;
  if found then
    delete from waiting where task_id = v_next.task_id;
    perform waybill_make_ready(v_next.task_id, p_queue, v_next.priority, v_next.seq);
    update key_slots set ready = v_next.task_id where queue = p_queue and key = p_key;
  elsif v_slot.waiting is null and v_blocker is null then
    delete from key_slots where queue = p_queue and key = p_key;
  end if;
end $$
