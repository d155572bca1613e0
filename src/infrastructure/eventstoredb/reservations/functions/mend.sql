-- Applies what the index lacks although its follower has passed it. p_known: the revisions by which that was found. Null,
-- and nothing is applied, if the index has moved on since; otherwise as waybill_apply.
create function waybill_mend(p_waves jsonb, p_known jsonb) returns text[] language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  if exists (select from jsonb_array_elements(p_known) as k where coalesce(waybill_index_revision(k), -1) <> (k->>'revision')::int) then
    return null;
  end if;
  return waybill_apply(p_waves);
end $$
