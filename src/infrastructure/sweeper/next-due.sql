-- Milliseconds until the next deadline, due time, end of a pause, firing of a trigger or staleness of a resource; null if
-- there is none. Triggers wait for the end of a drain.
create function waybill_next_due() returns float8
language plpgsql stable set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return (extract(epoch from least(
    (select min(l.deadline) from leases l where l.deadline > now()),
    (select min(l.deadline) from task_leases l where l.deadline <= now() and not :SERIAL and not :QUARANTINED),
    (select min(l.deadline) + :TAKEOVER_GRACE from task_leases l where l.deadline <= now() and :SILENT),
    (select min(t.alarm_at) from tasks t where t.alarm_at > now()),
    (select min(w.due_at) from waiting w where w.gate = 'due' and w.due_at > now()),
    (select min(q.pause_until) from queues q where q.status = 'paused'),
    (select min(coalesce(t.retry_at, t.next_at)) from triggers t where t.next_at is not null
      and not exists (select from system s where s.intake = 'closed')),
    (select min(g.measured_at + r.stale_after * interval '1 second') from resources r join gauges g on g.resource = r.name
      where r.level is not null)) - now()) * 1000)::float8;
end $$
