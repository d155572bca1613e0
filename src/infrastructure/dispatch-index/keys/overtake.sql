-- Puts the ready task of a key back in line behind one that comes before it; false where it stays: it comes first, or is just being claimed.
create function waybill_overtake(p_ready uuid, p_queue text, p_key text, p_priority int, p_seq bigint) returns boolean
language plpgsql as $$
declare
  t tasks;
begin
  select * into t from tasks where task_id = p_ready;
  if t.priority > p_priority or t.priority = p_priority and t.seq < p_seq then return false; end if;
  return waybill_put_back(t);
end $$
