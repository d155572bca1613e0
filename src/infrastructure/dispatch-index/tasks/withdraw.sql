-- Takes an open task out of the index. False if it is being claimed.
create function waybill_withdraw(t tasks) returns boolean language plpgsql as $$
begin
  delete from ready where (queue, priority, seq) in (
    select queue, priority, seq from ready
    where queue = t.queue and priority = t.priority and seq = t.seq for update skip locked);
  if found then return true; end if;
  delete from waiting where task_id in (select task_id from waiting where task_id = t.task_id for update skip locked);
  return found;
end $$
