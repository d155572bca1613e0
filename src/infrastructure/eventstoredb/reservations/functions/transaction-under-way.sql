create function waybill_transaction_under_way(p_transaction uuid, p_items jsonb) returns boolean language plpgsql stable as $$
declare
  m jsonb;
begin
  for m in select value from jsonb_array_elements(p_items) loop
    if waybill_under_way(m, waybill_waits_for(m), p_transaction) then return true; end if;
  end loop;
  return exists (select from jsonb_array_elements(p_items) as i where i->'before' ? 'queueRevisions' or i->'turn' ? 'notAwaited')
    and exists (select from reservations where changes_scope and transaction is distinct from p_transaction);
end $$
