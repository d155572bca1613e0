-- How many different needs of ready tasks no worker meets that asks for tasks at their step. Looks at 1,000 different needs.
create function waybill_unmet_needs(q queues) returns int language sql stable as $$
  select count(*)::int from waybill_needs_in_line(q.name, 1000) n where q.by_lanes and not waybill_is_served(q.name, n.step, null, n.needs)
$$
