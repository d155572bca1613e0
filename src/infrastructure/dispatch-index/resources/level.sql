-- What the gauge of a resource shows; null if its measure is too old, or there is no such resource.
create function waybill_level(p_resource text) returns float8 language sql stable as $$
  select g.value from resources r join gauges g on g.resource = r.name
  where r.name = p_resource and r.state = 'defined' and g.measured_at + r.stale_after * interval '1 second' > clock_timestamp()
$$
