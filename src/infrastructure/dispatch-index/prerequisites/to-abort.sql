-- The unfinished tasks that wait for what was aborted and still is, are part of it or plan it, up to p_max. Forgets what has none. Leaves out
-- what is quarantined, and does not forget what that waits for.
create function waybill_to_abort(p_ids uuid[], p_max int) returns table (task_id uuid, prerequisite uuid) language plpgsql as $$
#variable_conflict use_column
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  return query
    select p.task_id, p.needs from prerequisites p join tasks t on t.task_id = p.task_id
    where p.needs = any (p_ids) and not p.closed and not p.ignore and p.reservation is null
      and not exists (select from tasks n where n.task_id = p.needs and n.state <> 'aborted')
      and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
      and not exists (select from quarantined a where a.task_id in (p.task_id, p.needs))
    union
    select t.task_id, t.batch from tasks t
    where t.batch = any (p_ids) and (select b.state = 'aborted' or b.error is not null from batches b where b.id = t.batch)
      and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
      and not exists (select from quarantined a where a.task_id = t.task_id)
    union
    select t.task_id, b.id from batches b join tasks t on t.task_id = b.planner
    where b.id = any (p_ids) and b.state = 'aborted' and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
      and not exists (select from quarantined a where a.task_id = t.task_id)
    limit p_max;
  if not found then
    delete from consequences c where c.id = any (p_ids) and c.what = 'abort'
      and not exists (select from quarantined a left join tasks t on t.task_id = a.task_id
        where a.task_id = c.id or t.batch = c.id
          or exists (select from prerequisites p where p.task_id = a.task_id and p.needs = c.id and not p.closed and not p.ignore));
  end if;
end $$
