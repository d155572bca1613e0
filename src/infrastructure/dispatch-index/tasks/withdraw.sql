-- Takes an open task out of the index. False if it is being claimed. A task that has no place, against the rules, is out of it:
-- what is recorded of it now gives it one.
create function waybill_withdraw(t tasks) returns boolean language plpgsql as $$
begin
  if waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) then return true; end if;
  delete from waiting where task_id in (select task_id from waiting where task_id = t.task_id for update skip locked);
  return found or not waybill_is_ready(t.queue, t.priority, coalesce(t.place, t.seq)) and not exists (select from waiting w where w.task_id = t.task_id);
end $$
