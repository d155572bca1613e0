-- Counts the starts of these tasks against the rates of their queue. The caller is inside the gate.
create function waybill_count_starts(p_queue text, p_tasks uuid[]) returns void language plpgsql as $$
declare
  v_now timestamptz := clock_timestamp();
begin
  insert into paces as p (queue, lane, used_until)
    select s.queue, s.lane, v_now + s.starts * s.time
    from (
      select q.name as queue, '' as lane, cardinality(p_tasks) as starts, waybill_time_of_start(q.policy->'rate') as time from queues q where q.name = p_queue
      union all
      select q.name, l.lane, count(*), waybill_time_of_start(waybill_lane_limits(q, l.lane)->'rate')
      from queues q cross join unnest(p_tasks) as u(task_id) join tasks t on t.task_id = u.task_id cross join lateral (select waybill_limit_of(q, t.labels)::text as lane) l
      where q.name = p_queue and l.lane is not null group by q.name, q, l.lane) s
    where s.time is not null
    on conflict (queue, lane) do update set used_until = greatest(p.used_until, v_now) + (excluded.used_until - v_now);
  -- Some of those that say nothing any more, more than a claim adds.
  delete from paces where ctid = any (array(
    select d.ctid from paces d where d.queue = p_queue and d.used_until < v_now order by d.used_until limit 2 * cardinality(p_tasks)));
end $$
