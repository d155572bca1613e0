-- With what all lanes of the queue's current policy begin.
create function waybill_lane_prefix(q queues) returns text language sql immutable as $$
  select left(jsonb_build_object(q.lane_label, '')::text, -3)
$$
