-- The limits that steps of queues set for the gauge of a resource, in order.
create function waybill_limits_of(p_resource text) returns float8[] language sql stable as $$
  select array(select distinct n.below from queues q cross join lateral waybill_needs(q.needs) n
    where q.needs is not null and q.status <> 'deleted' and n.resource = p_resource order by n.below)
$$
