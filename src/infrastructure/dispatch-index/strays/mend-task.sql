-- Gives an open task the place in line or the lease that it lacks, unless it is one of p_kept. p_claim: the data of its last claim, and the revision
-- that the task had then. Returns the queues that now may have tasks to give out; null if nothing was lacking any more.
create function waybill_mend_task(p_task uuid, p_kept uuid[], p_claim jsonb) returns text[] language plpgsql as $$
declare
  t tasks;
  v_lacks text;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  select * into t from tasks where task_id = p_task for update;
  v_lacks := waybill_lost_place(t, (p_claim->>'token')::bigint);
  if v_lacks is null or p_task = any (p_kept) then return null; end if;
  if v_lacks = 'no place' then
    perform waybill_count_mended('lost place');
    return waybill_place_anew(t);
  end if;
  if p_claim is null or (p_claim->>'revision')::int <> t.revision then return null; end if;
  perform waybill_count_mended('lost lease');
  perform waybill_lease_anew(t, p_claim);
  return '{}';
end $$
