-- A queue that waits, or would wait, for the one that is named.
create function waybill_awaiting(p_queue text) returns text language sql as $$
  select name from queues where status <> 'deleted' and policy->'waitsFor' ? p_queue limit 1
$$
