-- Starts the leases of recorded claims anew, and returns the deadlines of the tokens that still stand.
create function waybill_confirm(p_tokens bigint[], p_secrets uuid[], p_tasks uuid[]) returns table (token bigint, deadline timestamptz)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
#variable_conflict use_column
begin
  -- An expiry in progress may have given a task a lease of its own. That is seen once nobody else has the lock.
  perform 1 from leases l where l.id in (
    select coalesce(t.lease, r.lease) from unnest(p_tokens, p_tasks) as c(token, task)
    left join tasks t on t.task_id = c.task and t.token = c.token left join reservations r on r.stream = c.task and r.token = c.token)
    order by l.id for update;
  return query
    with held as materialized (
      select c.token, c.secret, coalesce(t.lease, r.lease) as lease from unnest(p_tokens, p_secrets, p_tasks) as c(token, secret, task)
      left join tasks t on t.task_id = c.task and t.token = c.token left join reservations r on r.stream = c.task and r.token = c.token),
    begun as (
      update leases l set deadline = clock_timestamp() + l.lease_ms * interval '1 millisecond'
        where l.id in (select h.lease from held h where h.secret = l.secret) and l.expiring is null
        returning l.id, l.deadline)
    select h.token, b.deadline from held h join begun b on b.id = h.lease;
end $$
