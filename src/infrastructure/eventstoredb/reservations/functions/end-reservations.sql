-- Ends the reservations of applied appends. Those that took an idempotency key keep it with their answer.
create function waybill_end_reservations(p_applied jsonb) returns void language sql as $$
  with ended as (
    delete from reservations r using jsonb_to_recordset(p_applied) as a(id uuid, position bigint, whole bigint)
    where r.id = a.id returning r.idempotency, coalesce(a.whole, a.position) as position)
  select waybill_take_key(idempotency, position) from ended where idempotency is not null
$$
