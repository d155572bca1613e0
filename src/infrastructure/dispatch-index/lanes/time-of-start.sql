-- The time for which a rate gives one start; null without a rate. Rounded up, so that there are never more.
create function waybill_time_of_start(p_rate jsonb) returns interval language sql immutable as $$
  select ceil((p_rate->>'perMs')::numeric * 1000 / (p_rate->>'starts')::numeric) * interval '1 microsecond'
$$
