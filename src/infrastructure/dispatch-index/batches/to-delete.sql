-- The tasks of deleted batches that are still to be deleted, up to p_max. Forgets the batches that have none.
create function waybill_to_delete(p_ids uuid[], p_max int) returns table (task_id uuid, batch uuid) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  return query
    select t.task_id, t.batch from tasks t
    where t.batch = any (p_ids) and t.state not in ('succeeded', 'superseded', 'deleted') limit p_max;
  if not found then delete from consequences where id = any (p_ids) and what = 'delete'; end if;
end $$
