-- Restores the leases of claims whose events are not recorded yet.
insert into leases (id, queue, worker, server, holder, secret, claim_id, lease_ms, deadline, open, tasks, reservation, expiring)
  select o.token, o.queue, o.worker, o.server, o.holder, o.secret, o.claim_id, o.lease_ms, o.deadline, 1, array[o.task_id], o.reservation, o.expiring
  from old_leases o join reservations r on r.id = o.reservation
