-- The leases of the tasks that run, from their last claims; their secrets are in no event.
insert into leases (token, task_id, queue, worker, server, secret, claim_id, lease_ms, deadline, cancel_requested, expiring)
  select (c.claim->>'token')::bigint, t.task_id, t.queue, c.claim->>'worker', c.claim->>'server', o.secret,
    (c.claim->>'claimId')::uuid, (c.claim->>'leaseMs')::int,
    clock_timestamp() + (c.claim->>'leaseMs')::int * interval '1 millisecond',
    exists (select from logged_events r where r.stream = t.task_id and r.type = 'TaskCancelRequested' and r.revision > c.revision),
    (select r.id from reservations r where r.id = o.expiring)
  from tasks t
  cross join lateral (
    select e.data::jsonb as claim, e.revision from logged_events e where e.stream = t.task_id and e.type = 'TaskClaimed'
    order by e.revision desc limit 1) c
  left join old_leases o on o.token = (c.claim->>'token')::bigint
  where t.state = 'running'
