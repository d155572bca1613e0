-- The limits of lanes that say this of limits: those of all values of the label, and instead of these what the lanes' own value has. Null without such limits.
create function waybill_lane_limits(q queues, p_limit text) returns jsonb language sql immutable as $$
  select q.policy->'perLabel' || coalesce((
    select v from jsonb_array_elements(q.policy->'perLabel'->'values') v where jsonb_build_object(q.lane_label, v->>'value')::text = p_limit), '{}')
$$
