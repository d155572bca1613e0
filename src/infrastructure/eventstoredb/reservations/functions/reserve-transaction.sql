-- Takes everything that the appends of a transaction need, or nothing. While the transaction waits for appends under
-- way, a queue that it changes already refuses new ones. Returns the time of the reservation, and the problems.
create function waybill_reserve_transaction(p_transaction uuid, p_items jsonb, p_ttl_ms int)
returns table (at timestamptz, problems jsonb) language plpgsql as $$
declare
  v_problems jsonb;
  m jsonb;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  v_problems := case when waybill_transaction_under_way(p_transaction, p_items)
      or exists (select from jsonb_array_elements(p_items) as i where (i->>'changesScope')::boolean) and waybill_may_lack_reservations(p_ttl_ms)
    then '[{"kind": "busy", "i": 0}]' end;
  if v_problems is null then
    perform waybill_insert_reservation(i, null, p_ttl_ms, p_transaction) from jsonb_array_elements(p_items) as i where (i->>'changesScope')::boolean;
    if exists (select from reservations r join jsonb_array_elements(p_items) as i on i->>'scope' = r.scope
               where (i->>'changesScope')::boolean and not r.changes_scope and r.transaction is distinct from p_transaction) then
      return query select clock_timestamp(), '[{"kind": "busy", "i": 0}]'::jsonb;
      return;
    end if;
    v_problems := waybill_try(p_items);
  end if;
  if v_problems <> '[]' then
    delete from reservations where transaction = p_transaction and deadline >= clock_timestamp();
  else
    for m in select value from jsonb_array_elements(p_items) where not (value->>'changesScope')::boolean loop
      perform waybill_insert_reservation(m, waybill_waits_for(m), p_ttl_ms, p_transaction);
    end loop;
  end if;
  return query select date_trunc('milliseconds', clock_timestamp()), v_problems;
end $$
