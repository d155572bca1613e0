-- The serial queues whose consumer lost its lease and that no worker has taken over since, the longest overdue first.
create function waybill_silent_queues(p_limit int) returns table (queue text)
language plpgsql stable set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query select l.queue from task_leases l where l.deadline < now() - :TAKEOVER_GRACE and :SILENT order by l.deadline limit p_limit;
end $$
