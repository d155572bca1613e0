-- Lets more tasks of opened batches go, unless they are to be aborted or deleted since. Returns the queues that now have tasks to give out, and whether there are more.
create function waybill_open_rest(p_ids uuid[], p_max int) returns table (queues text[], more boolean) language plpgsql as $$
declare
  v_id uuid;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from consequences c where c.id = any (p_ids) and c.what = 'open';
  foreach v_id in array p_ids loop
    continue when waybill_staged_in(v_id) is not null;
    queues := queues || waybill_open_batch(v_id, clock_timestamp(), p_max);
  end loop;
  more := exists (select from consequences c where c.id = any (p_ids) and c.what = 'open');
  return next;
end $$
