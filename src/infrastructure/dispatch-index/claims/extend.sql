-- Moves the deadline of each standing lease to now plus its own length. Returns one answer per token, in order: the new
-- deadline (null if the lease is lost) and whether the worker must stop, as waybill_check does. If all tasks of a lease are
-- extended, its row changes; otherwise those tasks get a lease of their own.
--
-- skip locked skips a lease that is being settled or expired, because otherwise a heartbeat and a settlement of the
-- same tasks could wait for each other. Such a lease is answered unchanged, and the next heartbeat sees the outcome.
create function waybill_extend(p_tokens bigint[], p_secrets uuid[], p_tasks uuid[])
returns table (deadline timestamptz, cancel_requested boolean) language plpgsql as $$
#variable_conflict use_column
declare
  r record;
  l leases;
  v_id bigint;
begin
  for r in
    select e.id, array_agg(g.task) as tasks
    from unnest(p_tokens, p_secrets, p_tasks) as g(token, secret, task)
    join tasks t on t.task_id = g.task
    join leases e on e.id = case when t.token = g.token then t.lease else (select r.lease from reservations r where r.stream = g.task and r.token = g.token) end and g.task = any (e.tasks)
      and (e.secret is null or e.secret = g.secret)
    group by e.id order by e.id
  loop
    select * into l from leases where id = r.id and expiring is null for update skip locked;
    continue when not found;
    v_id := l.id;
    if l.open > 1 and l.open > (select count(*) from tasks t where t.task_id = any (r.tasks) and t.lease = l.id)
        + (select count(*) from reservations o where o.stream = any (r.tasks) and o.lease = l.id) then
      v_id := waybill_split_lease(l, r.tasks);
    end if;
    update leases set deadline = now() + l.lease_ms * interval '1 millisecond', unheard = false where id = v_id;
  end loop;
  -- The items of a job are claimed under its id. They are extended with it, by the worker that has it.
  update leases i set deadline = now() + i.lease_ms * interval '1 millisecond', unheard = false
    where i.id in (
      select c.id from leases c where c.claim_id = any (p_tasks) and c.expiring is null
        and exists (
          select from unnest(p_tokens, p_secrets, p_tasks) as g(token, secret, task)
          join tasks t on t.task_id = g.task and t.token = g.token
          join leases e on e.id = t.lease and e.secret = g.secret
          where g.task = c.claim_id)
      for update skip locked);
  return query select * from waybill_check(p_tokens, p_secrets, p_tasks);
end $$
