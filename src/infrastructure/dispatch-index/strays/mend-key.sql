-- Frees a key from tasks that do not hold it, except for p_kept, and lets the next one have it. Returns its queue; null if that changed nothing.
create function waybill_mend_key(p_queue text, p_key text, p_kept uuid[]) returns text[] language plpgsql as $$
declare
  v_before key_slots;
  v_after key_slots;
  v_strays text[];
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  select * into v_before from key_slots where queue = p_queue and key = p_key;
  if not found then return null; end if;
  v_strays := array(select k.place from waybill_key_strays(v_before) k where k.task_id is null or k.task_id <> all (p_kept));
  if v_strays = '{}' then return null; end if;
  update key_slots set running = case when 'running' = any (v_strays) then null else running end,
      ready = case when 'ready' = any (v_strays) then null else ready end,
      waiting = case when 'waiting' = any (v_strays) then null else waiting end
    where queue = p_queue and key = p_key;
  perform waybill_next_of_key(null, p_queue, p_key);
  select * into v_after from key_slots where queue = p_queue and key = p_key;
  if v_after is not distinct from v_before then return null; end if;
  perform waybill_count_mended('key');
  return array[p_queue];
end $$
