-- Puts a key's ready task back in line behind a task that comes before it, as in waybill_next_of_key. False if it stays
-- ready, because it comes first or is being claimed.
create function waybill_key_requeue_behind(p_ready uuid, t tasks) returns boolean language plpgsql as $$
declare
  r tasks;
  v_by_age boolean := waybill_blocks_keys(t.queue);
begin
  select * into r from tasks where task_id = p_ready;
  if r.priority > t.priority or r.priority = t.priority
      and (case when v_by_age then r.seq < t.seq else coalesce(r.place, r.seq) < coalesce(t.place, t.seq) end) then return false; end if;
  return waybill_key_requeue(r);
end $$
