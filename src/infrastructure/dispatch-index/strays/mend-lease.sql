-- Ends an overdue lease that no task points to. Returns its queue; null if it is not such a lease any more.
create function waybill_mend_lease(p_id bigint, p_kept uuid[]) returns text[] language plpgsql as $$
declare
  v_queue text;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from leases l where l.id = p_id and waybill_is_stray_lease(l) returning l.queue into v_queue;
  if v_queue is null then return null; end if;
  perform waybill_count_mended('lease');
  return array[v_queue];
end $$
