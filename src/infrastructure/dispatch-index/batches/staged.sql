-- Those of the batches whose tasks must not run: they are not open yet, or their tasks are about to be aborted or deleted with them.
create function waybill_staged(p_batches uuid[]) returns uuid[] language sql stable as $$
  select array(select b.id from batches b where b.id = any (p_batches) and (b.state in ('planning', 'aborted', 'deleted') or b.error is not null))
$$
