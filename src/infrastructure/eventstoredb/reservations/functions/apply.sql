-- Applies the log to the index, in order, and ends the reservations of what it applied. In this mode nothing else
-- writes the index and the rows. An event that the index cannot apply is an error, and the follower stops there.
-- p_groups, each: plain steps of tasks' lives, many at once, which concern different queues' rows in no other way than by their
-- tasks ({creates, claims, successes}, applied in this order), or one other change, which takes its turn ({change}).
-- Returns the queues of tasks that became ready because others were done.
create function waybill_apply(p_groups jsonb) returns text[]
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
declare
  w jsonb;
  v_woken text[] := '{}';
  v_leases jsonb;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  for n in 0 .. jsonb_array_length(p_groups) - 1 loop
    w := p_groups->n;
    if w ? 'change' then
      v_woken := v_woken || waybill_apply_change(w->'change');
    else
      v_leases := waybill_end_reservations((w->'creates') || (w->'claims') || (w->'successes'));
      if w->'creates' <> '[]' then perform waybill_apply_creates(w->'creates'); end if;
      if w->'claims' <> '[]' then perform waybill_apply_claims(w->'claims', v_leases); end if;
      if w->'successes' <> '[]' then v_woken := v_woken || waybill_apply_successes(w->'successes'); end if;
    end if;
  end loop;
  return v_woken;
end $$
