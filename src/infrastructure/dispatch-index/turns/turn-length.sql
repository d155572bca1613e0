-- How far a turn of these lanes moves their virtual time: the less, the more turns they have. p_turn: what they say of turns. p_weights: waybill_turn_weights, which is read once
-- for all lanes, because the policy may be compressed.
create function waybill_turn_length(p_weights jsonb, p_label text, p_turn text) returns bigint language sql immutable as $$
  select case when p_weights is null then :TURN else :TURN / coalesce((p_weights->>(p_turn::jsonb->>p_label))::bigint, 1) end
$$
