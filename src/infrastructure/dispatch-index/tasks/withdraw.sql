-- Takes an open task out of the index. False if it is being claimed.
create function waybill_withdraw(t tasks) returns boolean language plpgsql as $$
begin
  if waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) then return true; end if;
  delete from waiting where task_id in (select task_id from waiting where task_id = t.task_id for update skip locked);
  return found;
end $$
