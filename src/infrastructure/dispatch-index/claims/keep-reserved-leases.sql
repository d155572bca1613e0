-- Restores the leases of claims whose events are not recorded yet, one for each task.
with kept as (
  insert into leases (id, queue, worker, server, holder, secret, claim_id, lease_ms, deadline, open, tasks, expiring)
    select o.token, o.queue, o.worker, o.server, o.holder, o.secret, o.claim_id, o.lease_ms, o.deadline, 1, array[o.task_id], o.expiring
    from old_leases o join reservations r on r.id = o.reservation)
update reservations r set lease = r.token from old_leases o where r.id = o.reservation
