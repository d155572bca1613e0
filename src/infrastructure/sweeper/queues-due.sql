-- The queues whose tasks became due after p_since, or whose serial claim became overdue, and the time up to which this is known.
create function waybill_queues_due(p_since timestamptz) returns table (until text, queues text[])
language plpgsql stable set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query select now()::text, (
    select array_agg(distinct d.queue) from (
      select w.queue from waiting w where w.gate = 'due' and w.due_at > p_since and w.due_at <= now()
      union all
      select l.queue from leases l where l.deadline > p_since and l.deadline <= now() and :SERIAL) d);
end $$
