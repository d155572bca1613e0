-- The unfinished tasks that wait for what was aborted, or are part of it, up to p_max. Forgets what has none.
create function waybill_to_abort(p_ids uuid[], p_max int) returns table (task_id uuid, prerequisite uuid) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  return query
    select p.task_id, p.needs from prerequisites p join tasks t on t.task_id = p.task_id
    where p.needs = any (p_ids) and not p.closed and not p.ignore and p.reservation is null
      and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
    union
    select t.task_id, t.batch from tasks t
    where t.batch = any (p_ids) and (select b.state from batches b where b.id = t.batch) = 'aborted'
      and t.state not in ('succeeded', 'superseded', 'aborted', 'deleted')
    limit p_max;
  if not found then delete from consequences where id = any (p_ids) and what = 'abort'; end if;
end $$
