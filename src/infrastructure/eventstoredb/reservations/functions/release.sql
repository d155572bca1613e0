-- Releases what was taken for appends and transactions that will certainly never be stored. p_overdue: true for the
-- cleaner. Only the cleaner may release an overdue reservation: it may be about to put a fence into the stream, and
-- nobody else may reserve that stream before the fence is stored.
create function waybill_release(p_ids uuid[], p_overdue boolean) returns void language plpgsql as $$
declare
  v_ended reservations[];
  v_ids uuid[];
  v_leases bigint[];
  v_claims uuid[];
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  with ended as (
    delete from reservations where (id = any (p_ids) or transaction = any (p_ids)) and (p_overdue or deadline >= clock_timestamp())
    returning *)
  select array_agg(e) into v_ended from ended e;
  v_ids := array(select e.id from unnest(v_ended) as e);
  v_leases := array(select e.lease from unnest(v_ended) as e where e.lease is not null);
  v_claims := array(select l.claim_id from leases l where l.id = any (v_leases));
  perform waybill_end_leases(v_leases);
  delete from claims c where c.claim_id = any (v_claims) and not exists (select from leases l where l.claim_id = c.claim_id);
  perform waybill_next_of_key(t.task_id, t.queue, t.key) from tasks t
    where t.task_id = any (array(select e.stream from unnest(v_ended) as e where e.lease is not null)) and t.key is not null;
  delete from prerequisites where reservation = any (v_ids || p_ids) and reservation not in (select coalesce(transaction, id) from reservations);
  -- A task that was to begin with its claim has no row. One that has a row keeps its key, because it may be running.
  perform waybill_next_of_key(e.stream, e.scope, e.key) from unnest(v_ended) as e
    where e.key is not null and not exists (select from tasks t where t.task_id = e.stream);
  update leases set expiring = null where expiring = any (v_ids);
end $$
