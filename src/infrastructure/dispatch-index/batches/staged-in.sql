-- The batch, if its tasks must not run.
create function waybill_staged_in(p_batch uuid) returns uuid language sql stable as $$
  select (waybill_staged(array[p_batch]))[1]
$$
