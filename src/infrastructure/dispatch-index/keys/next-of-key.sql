-- Frees the key of a task and makes the next task in line ready: by place, or by age if tasks that fail block those behind
-- them. Only tasks that were given out before, which are few then, have places that differ from their age.
create function waybill_next_of_key(p_task uuid, p_queue text, p_key text) returns void language plpgsql as $$
declare
  v_slot key_slots;
  v_blocker bigint;
  v_next waiting;
begin
  update key_slots set running = nullif(running, p_task) where queue = p_queue and key = p_key returning * into v_slot;
  if not found or v_slot.running is not null or v_slot.ready is not null then return; end if;
  if waybill_blocks_keys(p_queue) then
    v_blocker := (waybill_key_blocker(p_queue, p_key)).seq;
    select w.* into v_next from (
        (select * from waiting where queue = p_queue and key = p_key and gate = 'key' and not begun order by priority desc, place limit 1)
        union all
        select * from waiting where queue = p_queue and key = p_key and gate = 'key' and begun) w
      join tasks t on t.task_id = w.task_id
      where v_blocker is null or t.seq < v_blocker order by w.priority desc, t.seq limit 1;
  else
    select * into v_next from waiting where queue = p_queue and key = p_key and gate = 'key' order by priority desc, place limit 1;
  end if;
  if found then
    delete from waiting where task_id = v_next.task_id;
    perform waybill_make_ready(v_next.task_id, p_queue, v_next.priority, v_next.place);
    update key_slots set ready = v_next.task_id where queue = p_queue and key = p_key;
  elsif v_slot.waiting is null and v_blocker is null then
    delete from key_slots where queue = p_queue and key = p_key;
  end if;
end $$
