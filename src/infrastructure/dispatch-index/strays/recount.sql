-- Compares what the rows of batches say of their tasks with the tasks' rows, in one snapshot. Returns the batches whose rows are wrong, with
-- these columns, and with what is to be added to their counts.
create function waybill_recount(p_batches uuid[]) returns table (batch uuid, differing text[], lacking int[], planner_ended boolean)
language sql stable as $$
  select d.id, array_remove(array[
      case when d.lacking[1] <> 0 then 'total' end, case when d.lacking[2] <> 0 then 'open' end, case when d.lacking[3] <> 0 then 'succeeded' end,
      case when d.lacking[4] <> 0 then 'failed' end, case when d.lacking[5] <> 0 then 'aborted' end, case when d.lacking[6] <> 0 then 'deleted' end,
      case when d.planner_ended <> d.plan_ended then 'plan_ended' end, case when d.lacks_awaited then 'awaited' end], null),
    d.lacking, d.planner_ended
  from (
    select b.id, array[c.total - b.total, c.total - c.succeeded - c.failed - c.aborted - c.deleted - b.open, c.succeeded - b.succeeded,
        c.failed - b.failed, c.aborted - b.aborted, c.deleted - b.deleted] as lacking,
      b.plan_ended, case when b.state = 'planning' then exists (
        select from known_tasks t where t.task_id = b.planner and t.state in ('failed', 'aborted', 'deleted')) else b.plan_ended end as planner_ended,
      not b.awaited and exists (select from prerequisites p where p.needs = b.id) as lacks_awaited
    from batches b cross join lateral (
      select count(*)::int as total, (count(*) filter (where t.state in ('succeeded', 'superseded')))::int as succeeded,
        (count(*) filter (where t.state = 'failed'))::int as failed, (count(*) filter (where t.state = 'aborted'))::int as aborted,
        (count(*) filter (where t.state = 'deleted'))::int as deleted
      from known_tasks t where t.batch = b.id) c
    where b.id = any (p_batches)) d
  where d.lacking <> array[0, 0, 0, 0, 0, 0] or d.planner_ended <> d.plan_ended or d.lacks_awaited
$$
