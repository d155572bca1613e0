-- The tasks of deleted batches, and those that plan them, that are still to be deleted, up to p_max. Forgets the batches that have none. Leaves out
-- quarantined tasks, and does not forget their batches.
create function waybill_to_delete(p_ids uuid[], p_max int) returns table (task_id uuid, batch uuid) language plpgsql as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  return query
    select t.task_id, t.batch from known_tasks t
    where t.batch = any (p_ids) and t.state not in ('succeeded', 'superseded', 'deleted')
      and not exists (select from quarantined a where a.task_id = t.task_id)
    union all
    select t.task_id, b.id from batches b join known_tasks t on t.task_id = b.planner
    where b.id = any (p_ids) and t.state not in ('succeeded', 'superseded', 'deleted')
      and not exists (select from quarantined a where a.task_id = t.task_id)
    limit p_max;
  if not found then
    delete from consequences c where c.id = any (p_ids) and c.what = 'delete'
      and not exists (select from quarantined a join tasks t on t.task_id = a.task_id where t.batch = c.id);
  end if;
end $$
