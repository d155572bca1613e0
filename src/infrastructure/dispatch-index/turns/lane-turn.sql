-- What a lane says of turns, as text: its tasks have them together with those of all lanes that say the same. Null without fair shares.
create function waybill_lane_turn(p_lane text) returns text language sql immutable as $$
  select p_lane::json->>'turn'
$$
