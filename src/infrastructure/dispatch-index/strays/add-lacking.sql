-- Adds to the rows of batches what p_found (rows of waybill_recount) says that they lack.
create function waybill_add_lacking(p_found jsonb) returns void language sql as $$
  update batches b set total = b.total + f.lacking[1], open = b.open + f.lacking[2], succeeded = b.succeeded + f.lacking[3],
    failed = b.failed + f.lacking[4], aborted = b.aborted + f.lacking[5], deleted = b.deleted + f.lacking[6],
    plan_ended = case when b.state = 'planning' then f.planner_ended else b.plan_ended end, awaited = b.awaited or 'awaited' = any (f.differing)
  from jsonb_to_recordset(p_found) as f(batch uuid, differing text[], lacking int[], planner_ended boolean)
  where b.id = f.batch
$$
