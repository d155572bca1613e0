-- The failed batches whose tasks are reported by themselves, have ended since the batch's last event, and are not looked for. Most have been looked at
-- before, and had nothing to report.
create function waybill_unreported(p_batches uuid[]) returns table (batch uuid, as_of bigint) language sql stable as $$
  select b.id, max(t.position) from batches b join tasks t on t.batch = b.id
  where b.id = any (p_batches) and b.state = 'failed' and b.re_runs = 'own' and b.error is null and not b.task_ended
    and t.position > b.position and t.state in ('succeeded', 'superseded', 'failed', 'aborted', 'deleted')
  group by b.id
$$
