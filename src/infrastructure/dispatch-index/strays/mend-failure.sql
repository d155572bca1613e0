-- Frees a key from a task that did not fail. Returns its queue; null if nothing was wrong any more.
create function waybill_mend_failure(p_queue text, p_key text, p_task uuid, p_kept uuid[]) returns text[] language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from key_failures f where f.queue = p_queue and f.key = p_key and f.task_id = p_task and waybill_is_stray_failure(f);
  if not found then return null; end if;
  perform waybill_next_of_key(null, p_queue, p_key);
  perform waybill_count_mended('key failure');
  return array[p_queue];
end $$
