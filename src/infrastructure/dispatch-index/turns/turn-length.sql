-- How far a turn of these lanes moves their virtual time: the less, the more turns they have. p_turn: what they say of turns.
create function waybill_turn_length(q queues, p_turn text) returns bigint language sql immutable as $$
  select :TURN / coalesce((q.policy->'fair'->'weights'->>(p_turn::jsonb->>q.fair_label))::bigint, 1)
$$
