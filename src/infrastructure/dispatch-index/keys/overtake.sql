-- Puts a key's ready task back in line behind a task that comes before it. False if it stays ready, because it comes
-- first or is being claimed.
create function waybill_overtake(p_ready uuid, p_queue text, p_key text, p_priority int, p_seq bigint) returns boolean
language plpgsql as $$
declare
  t tasks;
begin
  select * into t from tasks where task_id = p_ready;
  if t.priority > p_priority or t.priority = p_priority and t.seq < p_seq then return false; end if;
  return waybill_put_back(t);
end $$
