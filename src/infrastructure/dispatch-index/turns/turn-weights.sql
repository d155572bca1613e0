-- The values of the label of a queue with fair shares that have more turns than others, and how many. Null if none has.
create function waybill_turn_weights(q queues) returns jsonb language sql immutable as $$
  select nullif(q.policy->'fair'->'weights', '{}')
$$
