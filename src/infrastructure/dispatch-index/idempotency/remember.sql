-- Stores answers that recorded no event, each at its position. Returns null for each, or the answer that was already
-- stored. Returns no row, and stores nothing, if an append under way takes one of the keys, because that append's
-- outcome decides.
create function waybill_remember(p_answers jsonb) returns table (recorded jsonb) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  if exists (select from jsonb_array_elements(p_answers) as k where waybill_key_under_way(k, null)) then return; end if;
  return query select waybill_take_key(k, (k->>'position')::bigint) from jsonb_array_elements(p_answers) with ordinality as a(k, at) order by at;
end $$
