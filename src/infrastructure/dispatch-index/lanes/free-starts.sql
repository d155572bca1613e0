-- How many starts a rate allows now; null without a rate. Never more at once than its burst.
create function waybill_free_starts(p_rate jsonb, p_used_until timestamptz, p_now timestamptz) returns int language sql immutable as $$
  select greatest(0, (p_rate->>'burst')::int - ceil(extract(epoch from greatest(interval '0', p_used_until - p_now))
    / extract(epoch from waybill_time_of_start(p_rate)))::int)
  where p_rate->>'starts' is not null
$$
