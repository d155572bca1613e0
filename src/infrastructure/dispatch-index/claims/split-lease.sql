-- Moves some of a lease's tasks to a lease of their own with the same properties. Leaves out tasks that another
-- transaction has locked. Returns null if no task was moved.
create function waybill_split_lease(p_lease leases, p_tasks uuid[]) returns bigint language plpgsql as $$
declare
  v_id bigint;
  v_tasks uuid[] := array(select t.task_id from tasks t where t.task_id = any (p_tasks) and t.lease = p_lease.id for update skip locked);
  -- Those whose claims are not applied yet.
  v_reserved uuid[] := array(select r.stream from reservations r where r.stream = any (p_tasks) and r.lease = p_lease.id for update skip locked);
  v_moved uuid[] := v_tasks || v_reserved;
begin
  if v_moved = '{}' then return null; end if;
  v_id := nextval('lease_tokens');
  insert into leases (id, queue, worker, server, holder, secret, claim_id, lease_ms, deadline, unheard, open, tasks)
    values (v_id, p_lease.queue, p_lease.worker, p_lease.server, p_lease.holder, p_lease.secret, p_lease.claim_id, p_lease.lease_ms, p_lease.deadline,
      p_lease.unheard, cardinality(v_moved), v_moved);
  update tasks set lease = v_id where task_id = any (v_tasks);
  if v_reserved <> '{}' then update reservations set lease = v_id where stream = any (v_reserved); end if;
  update leases set open = open - cardinality(v_moved) where id = p_lease.id;
  return v_id;
end $$
