-- Writes a measure. Returns the resource with the limits of its gauge, and whether the measure before was too old; no row if
-- there is no such resource.
with known as (select * from resources where name = :resource and state = 'defined'),
  before as (select g.measured_at from gauges g where g.resource = :resource),
  written as (
    insert into gauges (resource, value, measured_at, measured_by)
      select k.name, :value::float8, clock_timestamp(), :by::text from known k
      on conflict (resource) do update set value = excluded.value, measured_at = excluded.measured_at, measured_by = excluded.measured_by
      returning measured_at)
select k.name, k.description, k.unit, k.stale_after, k.level, k.revision, k.position, waybill_limits_of(k.name) as limits, w.measured_at,
  coalesce((select b.measured_at + k.stale_after * interval '1 second' <= clock_timestamp() from before b), true) as was_stale
from known k cross join written w
