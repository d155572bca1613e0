-- The limits of a lane: those of all values of the label, and instead of these what its own value has. Empty for the queue as a whole.
create function waybill_lane_limits(q queues, p_lane text) returns jsonb language sql immutable as $$
  select q.policy->'perLabel' || coalesce((
    select v from jsonb_array_elements(q.policy->'perLabel'->'values') v where jsonb_build_object(q.lane_label, v->>'value')::text = p_lane), '{}')
$$
