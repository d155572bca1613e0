-- Unblocks more of the tasks that wait for what is done. Returns the queues that now have tasks to give out.
create function waybill_unblock_rest(p_ids uuid[], p_max int) returns text[] language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from consequences where id = any (p_ids) and what = 'unblock';
  return waybill_unblock(p_ids, clock_timestamp(), p_max);
end $$
