-- Applies what the index lacks. p_known: the revisions by which that was found. Nothing is applied if the index has moved on
-- since: then null, or, with p_strict, an error. Otherwise as waybill_apply.
create function waybill_mend(p_groups jsonb, p_known jsonb, p_strict boolean default false) returns text[] language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  if exists (select from jsonb_array_elements(p_known) as k where coalesce(waybill_index_revision(k), -1) <> (k->>'revision')::int) then
    if p_strict then raise exception using errcode = 'WB003', message = 'the dispatch index has moved on'; end if;
    return null;
  end if;
  return waybill_apply(p_groups);
end $$
