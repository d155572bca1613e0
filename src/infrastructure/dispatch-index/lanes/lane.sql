-- The lane of a ready task: all by which the policy of its queue tells it from others, as a JSON object with a member for each part. Tasks that any claim treats
-- alike have the same text, and it begins with what claims look for.
create function waybill_lane(q queues, p_labels jsonb) returns text language sql stable as $$
  select json_build_object('limit', waybill_limit_of(q, p_labels), 'turn', waybill_turn_of(q, p_labels))::text
$$
