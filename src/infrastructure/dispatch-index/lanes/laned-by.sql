-- What of the policy says the lanes of ready tasks: while it is the same, so are they.
create function waybill_laned_by(q queues) returns text language sql stable as $$
  select json_build_object('label', q.lane_label, 'fair', q.fair_label, 'needs', q.policy->'needs')::text
$$
