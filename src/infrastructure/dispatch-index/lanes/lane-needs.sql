-- What the tasks of a lane need of their worker; an empty object if nothing.
create function waybill_lane_needs(p_lane text) returns jsonb language sql immutable as $$
  select coalesce(p_lane::json->>'needs', '{}')::jsonb
$$
