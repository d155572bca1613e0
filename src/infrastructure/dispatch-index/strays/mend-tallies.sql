-- Mends what the rows of batches say of their tasks. Returns the batches whose rows were wrong, with these columns. Others append meanwhile: a
-- row gets what it lacked when the tasks were counted, on top of what has changed since.
create function waybill_mend_tallies(p_batches uuid[]) returns table (batch uuid, differing text[]) language plpgsql as $$
declare
  v_found jsonb;
begin
  -- Two that counted at once would both add it.
  perform pg_advisory_xact_lock(:TALLIES_LOCK);
  select jsonb_agg(f) into v_found from waybill_recount(p_batches) f;
  if v_found is null then return; end if;
  perform pg_advisory_xact_lock(:LOG_LOCK);
  perform waybill_add_lacking(v_found);
  perform waybill_count_mended('batches') from jsonb_array_elements(v_found);
  return query select f.batch, f.differing from jsonb_to_recordset(v_found) as f(batch uuid, differing text[]);
end $$
