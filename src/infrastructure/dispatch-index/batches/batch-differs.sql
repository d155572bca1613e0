-- Whether a batch does not have the tasks that a decision counted: p_counts has columns of its row.
create function waybill_batch_differs(p_batch uuid, p_counts jsonb) returns boolean language sql stable as $$
  select not coalesce((select to_jsonb(b) @> p_counts from batches b where b.id = p_batch), false)
$$
