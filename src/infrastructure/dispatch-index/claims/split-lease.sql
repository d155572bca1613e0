-- Moves some of a lease's tasks to a lease of their own with the same properties. Leaves out tasks that another
-- transaction has locked. Returns null if no task was moved.
create function waybill_split_lease(p_lease leases, p_tasks uuid[]) returns bigint language plpgsql as $$
declare
  v_id bigint;
  v_tasks uuid[] := array(select t.task_id from tasks t where t.task_id = any (p_tasks) and t.lease = p_lease.id for update skip locked);
begin
  if cardinality(v_tasks) = 0 then return null; end if;
  v_id := nextval('lease_tokens');
  insert into leases (id, queue, worker, server, holder, secret, claim_id, lease_ms, deadline, open, tasks)
    values (v_id, p_lease.queue, p_lease.worker, p_lease.server, p_lease.holder, p_lease.secret, p_lease.claim_id, p_lease.lease_ms, p_lease.deadline,
      cardinality(v_tasks), v_tasks);
  update tasks set lease = v_id where task_id = any (v_tasks);
  update leases set open = open - cardinality(v_tasks) where id = p_lease.id;
  return v_id;
end $$
