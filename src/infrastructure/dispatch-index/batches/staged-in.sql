-- The batch, if it is not open yet, so that its tasks wait for that.
create function waybill_staged_in(p_batch uuid) returns uuid language sql stable as $$
  select b.id from batches b where b.id = p_batch and b.state = 'planning'
$$
