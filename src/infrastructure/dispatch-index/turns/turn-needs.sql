-- What tasks of the lane need of their worker, as waybill_met_needs spells it. Empty if the queue does not look at needs.
create function waybill_turn_needs(q queues, p_lane text) returns text language sql immutable as $$
  select case when jsonb_typeof(q.policy->'needs') = 'object' then coalesce(p_lane::json->>'needs', '{}') else '' end
$$
