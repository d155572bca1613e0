-- Whether waiting tasks of the queue take in new ones of their key.
create function waybill_gathers(p_queue text) returns boolean language sql stable as $$
  select q.policy->>'duplicatePending' = 'gather' from queues q where q.name = p_queue
$$
