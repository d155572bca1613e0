-- Ends the terms of followers whose checkpoints were changed from outside, so that they look again where they stand, also if no event
-- follows: otherwise they would find out only with the next one.
create function waybill_end_terms(p_followers text[]) returns void language sql as $$
  update leaders set deadline = clock_timestamp(), epoch = epoch + 1
  where split_part(role, ' ', 1) = 'follower' and split_part(role, ' ', 2) = any (p_followers)
$$
