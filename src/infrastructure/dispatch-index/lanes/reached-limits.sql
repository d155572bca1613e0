-- The limits of a queue that are reached: of what runs ('running') and of what starts ('rate'). lane_limit: what lanes say of the value that has the limit
-- (waybill_lane_limit); empty for those of the queue as a whole. With a limit for each server, if all that run its tasks are full.
create function waybill_reached_limits(q queues) returns table (lane_limit text, kind text) language sql stable as $$
  with servers as materialized (select count(*) as tasks from task_leases l where l.queue = q.name group by l.server)
  select '', 'running' from (select coalesce(sum(s.tasks), 0) as tasks, min(s.tasks) as fewest from servers s) r
    where r.tasks >= case when q.policy->>'concurrency' = 'serial' then 1 else (q.policy->>'maxRunning')::int end
      or r.fewest >= (q.policy->'concurrency'->>'perServer')::int
  union all
  select '', 'rate' where waybill_queue_free_starts(q) = 0
  union all
  select l.lane_limit, 'running' from waybill_limits_running(q) l where l.tasks >= (waybill_lane_limits(q, l.lane_limit)->>'maxRunning')::int
  union all
  select p.lane, 'rate' from paces p where p.queue = q.name and p.lane <> '' and p.used_until > clock_timestamp()
    and waybill_free_starts(waybill_lane_limits(q, p.lane)->'rate', p.used_until, clock_timestamp()) = 0
$$
