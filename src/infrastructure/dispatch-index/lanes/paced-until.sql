-- Which rates of the queue allow no start of a task with these labels now, and until when: a JSON list, in which the label is named if the rate is that of
-- its value.
create function waybill_paced_until(q queues, p_labels jsonb) returns jsonb language sql stable as $$
  select coalesce(jsonb_agg(r.of || jsonb_build_object('until', f.at) order by f.at), '[]')
  from (
    select '' as lane, q.policy->'rate' as rate, '{}'::jsonb as of
    union all
    select l.lane, waybill_lane_limits(q, l.lane)->'rate', jsonb_build_object('label', q.lane_label, 'labelValue', p_labels->>q.lane_label)
    from (select waybill_limit_of(q, p_labels)::text as lane where q.lane_label is not null) l) r
  left join paces p on p.queue = q.name and p.lane = r.lane
  cross join lateral (select waybill_free_at(r.rate, p.used_until, clock_timestamp()) as at) f
  where f.at is not null
$$
