-- Whether a task's claim still stands or, if 'expired' is set, whether it stands past its deadline, or, if 'timedOut' is, past the
-- longest end of its run. Locks the lease until the
-- transaction ends.
create function waybill_lease_stands(p_task uuid, p_lease jsonb) returns boolean language plpgsql as $$
declare
  v_token bigint := (p_lease->>'token')::bigint;
begin
  perform 1 from leases l left join tasks t on t.task_id = p_task
    where l.id = case when t.token = v_token then t.lease else (select r.lease from reservations r where r.stream = p_task and r.token = v_token) end and p_task = any (l.tasks)
      and case when p_lease ? 'expired' then l.deadline < clock_timestamp()
        when p_lease ? 'timedOut' then t.token = v_token and t.run_until < clock_timestamp()
        else l.secret is null or l.secret = (p_lease->>'secret')::uuid end for update of l;
  return found;
end $$
