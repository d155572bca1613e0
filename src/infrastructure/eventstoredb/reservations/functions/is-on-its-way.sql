-- Whether the append of a reservation may be on its way to the store at this moment. A change of a scope is not: its
-- reservation begins before it may be made.
create function waybill_is_on_its_way(r reservations) returns boolean language sql stable as $$
  select not r.changes_scope and r.transaction is null and r.reserved_at > clock_timestamp() - interval '2 seconds'
$$
