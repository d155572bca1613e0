-- The lane of a ready task: all by which the policy of its queue tells it from others, as a JSON object with a member for each part. Tasks that any claim treats
-- alike have the same text. It begins with the needs, so that a claim finds the lanes that its offer meets by their beginnings.
create function waybill_lane(q queues, p_labels jsonb, p_needs jsonb) returns text language sql stable as $$
  select json_build_object('needs', waybill_needed(q, p_needs), 'limit', waybill_limit_of(q, p_labels), 'turn', waybill_turn_of(q, p_labels))::text
$$
