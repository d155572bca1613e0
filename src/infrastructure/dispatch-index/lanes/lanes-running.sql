-- How many tasks run in each lane of a queue in which any does.
create function waybill_lanes_running(q queues) returns table (lane text, tasks int) language sql stable as $$
  select jsonb_build_object(q.lane_label, t.labels->>q.lane_label)::text, count(*)::int
  from task_leases l join tasks t on t.task_id = l.task_id where l.queue = q.name group by 1
$$
