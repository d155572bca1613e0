-- Ends the reservations of applied appends. Those that took an idempotency key keep it with their answer. Returns the leases that
-- those of claims pointed to, by the tasks.
create function waybill_end_reservations(p_applied jsonb) returns jsonb language sql as $$
  with ended as (
    delete from reservations r using jsonb_to_recordset(p_applied) as a(id uuid, position bigint, whole bigint)
    where r.id = a.id returning r.stream, r.lease, r.idempotency, coalesce(a.whole, a.position) as position)
  select case when count(case when idempotency is not null then waybill_take_key(idempotency, position) end) >= 0
    then coalesce(jsonb_object_agg(stream, lease) filter (where lease is not null), '{}') end from ended
$$
