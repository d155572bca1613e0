-- How many more tasks may start within the limits that lanes share: of each that has numbers of its own, of which tasks run, or that its rate has started lately.
-- Others have as many as the policy says of all. Empty without such limits. The caller is inside the gate.
create function waybill_rooms(q queues) returns jsonb language sql stable as $$
  with own as materialized (
    select jsonb_build_object(q.lane_label, v->>'value')::text as lane_limit, v as limits from jsonb_array_elements(q.policy->'perLabel'->'values') v),
  running as materialized (select * from waybill_limits_running(q)),
  paced as materialized (select p.lane as lane_limit, p.used_until from paces p where p.queue = q.name and p.lane <> '' and p.used_until > clock_timestamp()),
  known as (select lane_limit from own union select lane_limit from running union select lane_limit from paced)
  select coalesce(jsonb_object_agg(k.lane_limit, least((l.limits->>'maxRunning')::int - coalesce(r.tasks, 0),
    waybill_free_starts(l.limits->'rate', p.used_until, clock_timestamp()))), '{}')
  from known k left join own o using (lane_limit) left join running r using (lane_limit) left join paced p using (lane_limit)
    cross join lateral (select q.policy->'perLabel' || coalesce(o.limits, '{}') as limits) l
$$
