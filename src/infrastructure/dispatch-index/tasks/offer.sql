-- Places a pending task. Returns true if it is ready, false if it waits for prerequisites, its time or its key. p_staged:
-- its batch, if that is not open yet, which counts as one of p_blockers.
create function waybill_offer(p_task uuid, p_queue text, p_key text, p_priority int, p_place bigint,
                              p_due timestamptz, p_blockers int, p_staged uuid, p_now timestamptz) returns boolean language plpgsql as $$
declare
  v_slot key_slots;
  v_gate text := case when p_blockers > 0 then 'blocked' when p_due > p_now then 'due' end;
  t tasks;
begin
  if p_key is not null then
    select * into t from tasks where task_id = p_task;
    v_slot := waybill_take_place(p_task, p_queue, p_key);
    if v_gate is null and (v_slot.running is not null or t.seq > (waybill_key_blocker(p_queue, p_key)).seq
        or v_slot.ready is not null and not waybill_key_requeue_behind(v_slot.ready, t)) then
      v_gate := 'key';
    elsif v_gate is null then
      update key_slots set ready = p_task where queue = p_queue and key = p_key;
    end if;
  end if;
  if v_gate is null then
    perform waybill_make_ready(p_task, p_queue, p_priority, p_place);
  else
    insert into waiting (task_id, queue, gate, due_at, key, priority, place, begun, blockers, staged)
      values (p_task, p_queue, v_gate, p_due, p_key, p_priority, p_place, p_key is not null and waybill_has_begun(t), p_blockers, p_staged);
  end if;
  return v_gate is null;
end $$
