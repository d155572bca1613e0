-- Restores the leases of claims whose events are still to be recorded.
insert into leases select o.* from old_leases o join reservations r on r.id = o.reservation
