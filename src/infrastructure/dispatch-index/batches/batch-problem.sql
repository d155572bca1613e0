-- Why no task can be added to a batch; null if one can.
create function waybill_batch_problem(p_batch uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('kind', 'refused', 'batch', p_batch) || case when b.state is null
      then jsonb_build_object('constraint', 'batch-not-found')
      else jsonb_build_object('constraint', 'batch-ended', 'state', b.state) end
  from (select p_batch) as wanted left join batches b on b.id = p_batch
  where coalesce(b.state not in ('planning', 'running'), true)
$$
