-- The queues with a step that needs a resource.
create function waybill_needing(p_resource text) returns text[] language sql stable as $$
  select array(select q.name from queues q where q.needs is not null and q.status <> 'deleted'
    and exists (select from waybill_needs(q.needs) n where n.resource = p_resource))
$$
