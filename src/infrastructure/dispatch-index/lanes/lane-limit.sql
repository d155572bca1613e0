-- What a lane says of limits, as text: its tasks share the limits with those of all lanes that say the same. Null if there are none.
create function waybill_lane_limit(p_lane text) returns text language sql immutable as $$
  select p_lane::json->>'limit'
$$
