-- When a rate allows the next start, if it allows none now; null if it does, and without a rate.
create function waybill_free_at(p_rate jsonb, p_used_until timestamptz, p_now timestamptz) returns timestamptz language sql immutable as $$
  select p_used_until - ((p_rate->>'burst')::int - 1) * waybill_time_of_start(p_rate)
  where waybill_free_starts(p_rate, p_used_until, p_now) = 0
$$
