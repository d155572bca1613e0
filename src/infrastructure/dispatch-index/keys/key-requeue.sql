-- Puts a key's ready task back in line. False if it is being claimed.
create function waybill_key_requeue(t tasks) returns boolean language plpgsql as $$
begin
  if not waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) then return false; end if;
  insert into waiting (task_id, queue, gate, due_at, key, priority, place, begun)
    values (t.task_id, t.queue, 'key', t.due_at, t.key, t.priority, coalesce(t.place, t.seq), waybill_has_begun(t));
  return true;
end $$
