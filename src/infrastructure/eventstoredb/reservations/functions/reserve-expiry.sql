-- Keeps a task's lease, which the caller has locked, from being extended. If other tasks have it, too, the task gets a lease of its
-- own. False if the task cannot be moved now.
create function waybill_reserve_expiry(p_task uuid, p_token bigint, p_reservation uuid) returns boolean language plpgsql as $$
declare
  l leases;
  v_id bigint;
begin
  select * into l from leases where id = (select t.lease from tasks t where t.task_id = p_task and t.token = p_token);
  v_id := case when l.open > 1 then waybill_split_lease(l, array[p_task]) else l.id end;
  update leases set expiring = p_reservation where id = v_id;
  return found;
end $$
