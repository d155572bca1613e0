-- The running tasks whose leases have expired, the longest overdue first. Leaves out serial queues: whoever takes such a queue over ends the
-- lease. Leaves out runs whose longest time ended before or with the lease: they have failed, and are not lost.
create function waybill_overdue_leases(p_limit int) returns table (task_id uuid, token bigint, unheard boolean)
language plpgsql stable set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
    select l.task_id, l.token, l.unheard from task_leases l
    where l.deadline < now() and not :SERIAL and not :QUARANTINED
      and not exists (select from tasks t where t.task_id = l.task_id and t.run_until <= l.deadline)
    order by l.deadline limit p_limit;
end $$
