-- The batch, if its tasks must not run: it is not open yet, or they are about to be aborted or deleted with it.
create function waybill_staged_in(p_batch uuid) returns uuid language sql stable as $$
  select b.id from batches b where b.id = p_batch and (b.state in ('planning', 'aborted', 'deleted') or b.error is not null)
$$
