-- What is known of each lease, in order, without changing it: its deadline, which is no later than the end of the run (null if
-- the lease is lost or the run is over), and whether the worker must stop.
create function waybill_check(p_tokens bigint[], p_secrets uuid[], p_tasks uuid[])
returns table (deadline timestamptz, cancel_requested boolean) language sql stable as $$
  select case when t.token = g.token and t.run_until <= clock_timestamp() then null else least(e.deadline, case when t.token = g.token then t.run_until end) end,
    t.cancel_requested and t.token = g.token
  from unnest(p_tokens, p_secrets, p_tasks) with ordinality as g(token, secret, task, at)
  left join tasks t on t.task_id = g.task
  left join leases e on e.id = case when t.token = g.token then t.lease else (select r.lease from reservations r where r.stream = g.task and r.token = g.token) end and g.task = any (e.tasks)
    and (e.secret is null or e.secret = g.secret)
  order by g.at;
$$
