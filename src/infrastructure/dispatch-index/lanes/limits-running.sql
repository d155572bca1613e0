-- How many tasks run of each of which the limits of a queue tell apart, and of which any runs.
create function waybill_limits_running(q queues) returns table (lane_limit text, tasks int) language sql stable as $$
  select waybill_limit_of(q, t.labels)::text, count(*)::int
  from task_leases l join tasks t on t.task_id = l.task_id where l.queue = q.name and q.lane_label is not null group by 1
$$
