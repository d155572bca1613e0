-- Finds a queue whose policy says that it waits for p_queue.
create function waybill_awaiting(p_queue text) returns text language sql as $$
  select name from queues where status <> 'deleted' and policy->'waitsFor' ? p_queue limit 1
$$
