-- Takes the keys of answers that recorded nothing, each at its position; for each null, or what was answered before. No row, and none is taken: an append
-- under way takes one of them, and how that ends decides.
create function waybill_remember(p_answers jsonb) returns table (recorded jsonb) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  if exists (select from jsonb_array_elements(p_answers) as k where waybill_key_under_way(k, null)) then return; end if;
  return query select waybill_take_key(k, (k->>'position')::bigint) from jsonb_array_elements(p_answers) with ordinality as a(k, at) order by at;
end $$
