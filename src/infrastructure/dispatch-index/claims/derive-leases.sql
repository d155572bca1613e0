-- Derives the leases of running tasks, one each, from their last claims. Takes the secrets and
-- holders from the old leases, and whether a heartbeat came, because no event holds them.
with claimed as materialized (
  select t.task_id, t.queue, c.claim, (c.claim->>'token')::bigint as token,
    exists (select from logged_events r where r.stream = t.task_id and r.type = 'TaskCancelRequested' and r.revision > c.revision) as cancel_requested
  from tasks t
  cross join lateral (
    select e.data::jsonb as claim, e.revision from logged_events e where e.stream = t.task_id and e.type = 'TaskClaimed'
    order by e.revision desc limit 1) c
  where t.state = 'running'),
leased as (
  insert into leases (id, queue, worker, server, holder, secret, claim_id, lease_ms, deadline, unheard, open, tasks, expiring)
    select c.token, c.queue, c.claim->>'worker', c.claim->>'server', o.holder, o.secret, (c.claim->>'claimId')::uuid, (c.claim->>'leaseMs')::int,
      clock_timestamp() + (c.claim->>'leaseMs')::int * interval '1 millisecond', coalesce(o.unheard, false), 1, array[c.task_id],
      (select r.id from reservations r where r.id = o.expiring)
    from claimed c left join old_leases o on o.token = c.token)
update tasks t set token = c.token, lease = c.token, cancel_requested = c.cancel_requested from claimed c where t.task_id = c.task_id
