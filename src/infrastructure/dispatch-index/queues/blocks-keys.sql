-- Whether a failed task keeps the later ones of its key waiting.
create function waybill_blocks_keys(p_queue text) returns boolean language sql stable as $$
  select coalesce((select policy->>'onKeyFailure' = 'block' from queues where name = p_queue), false)
$$
