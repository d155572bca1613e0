-- Unblocks more of the tasks that wait for what is done. Returns the queues that now have tasks to give out, and whether
-- there are more to unblock.
create function waybill_unblock_rest(p_ids uuid[], p_max int) returns table (queues text[], more boolean) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from consequences c where c.id = any (p_ids) and c.what = 'unblock';
  queues := waybill_unblock(p_ids, clock_timestamp(), p_max);
  more := exists (select from consequences c where c.id = any (p_ids) and c.what = 'unblock');
  return next;
end $$
