-- Lets more tasks of opened batches go. Returns the queues that now have tasks to give out.
create function waybill_open_rest(p_ids uuid[], p_max int) returns text[] language plpgsql as $$
declare
  v_queues text[] := '{}';
  v_id uuid;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from consequences where id = any (p_ids) and what = 'open';
  foreach v_id in array p_ids loop v_queues := v_queues || waybill_open_batch(v_id, clock_timestamp(), p_max); end loop;
  return v_queues;
end $$
