-- How many starts the rate of the queue as a whole allows now; null without one. The caller is inside the gate.
create function waybill_queue_free_starts(q queues) returns int language sql stable as $$
  select waybill_free_starts(q.policy->'rate', (select p.used_until from paces p where p.queue = q.name and p.lane = ''), clock_timestamp())
$$
