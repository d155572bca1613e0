-- Whether a failed task blocks the later tasks of its key.
create function waybill_blocks_keys(p_queue text) returns boolean language sql stable as $$
  select coalesce((select policy->>'onKeyFailure' = 'block' from queues where name = p_queue), false)
$$
