-- Takes what the appends need: first the plain ones, all at once, then the others in order. Returns the time of the
-- reservations, and the problem of each append that got none. p_in_order: an append is stored only after those before it that it waits for.
create function waybill_reserve(p_plain jsonb, p_items jsonb, p_ttl_ms int, p_in_order boolean) returns table (at timestamptz, problems jsonb)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
declare
  v_claimed uuid[];
  v_problem jsonb;
  v_problems jsonb := '[]';
  v_key text;
  -- The new tasks that a task of the same call may wait for.
  v_begun uuid[] := '{}';
  m jsonb;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  -- What a crash of Postgres could take from these, the streams' revisions hold, and changes of queues wait. Nothing holds a key, or
  -- keeps a batch from changing.
  if p_items = '[]' and not p_plain @? '$[*] ? (exists (@.key) || exists (@.batch))' then perform set_config('synchronous_commit', 'off', true); end if;
  if p_plain <> '[]' then v_problems := waybill_reserve_plain(p_plain, p_ttl_ms); end if;
  v_claimed := array(select c.claim_id from claims c where c.claim_id in (
    select (i->'claim'->>'claimId')::uuid from jsonb_array_elements(p_items) as i));
  for m in select value from jsonb_array_elements(p_items) loop
    v_key := waybill_waits_for(m);
    v_problem := case
      when waybill_under_way(m, v_key, (m->>'id')::uuid, v_begun) then jsonb_build_object('kind', 'busy')
      when (m->>'changesScope')::boolean then waybill_reserve_scope(m, p_ttl_ms)
      else waybill_reserve_task(m, v_key, p_ttl_ms, v_claimed, v_begun) end;
    if v_problem is not null then
      v_problems := v_problems || (v_problem || jsonb_build_object('i', m->'i'));
    elsif p_in_order and m ? 'created' then
      v_begun := v_begun || (m->>'stream')::uuid;
    end if;
  end loop;
  return query select date_trunc('milliseconds', clock_timestamp()), v_problems;
end $$
