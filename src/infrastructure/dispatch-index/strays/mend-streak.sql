-- Forgets the failures in a row of a queue which no task of it can have had. Returns the queue; null if nothing was wrong any more.
create function waybill_mend_streak(p_queue text, p_kept uuid[]) returns text[] language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  update queues q set failure_streak = 0, failure_task = null where q.name = p_queue and waybill_is_stray_streak(q);
  if not found then return null; end if;
  perform waybill_count_mended('failure streak');
  return array[p_queue];
end $$
