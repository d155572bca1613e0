-- Stores the events of all items and applies their changes to the dispatch index. An item that breaks a constraint is
-- not stored; with p_atomic, nothing is. Positions have no holes: if some items break one and others do not, raises WB005 with the problems of
-- the former, and stores nothing. append-records.ts and task-records.ts describe the records. JSON carries what few appends have:
-- p_conditions has the conditions besides the revisions of the stream and its queue, and p_names the names of streams
-- without a UUID. p_picked: the claims' tasks have already left the ready lane. woken: other queues in which tasks became ready, because these were waiting for
-- tasks that the items ended; null if there are none.
create function waybill_append(
  p_segments waybill_segment[], p_kinds waybill_event_kind[], p_envelopes text[],
  p_checks waybill_check[], p_guards waybill_queue_guard[],
  p_creates waybill_create[], p_claims waybill_claim[], p_requests waybill_claim_request[], p_successes waybill_success[],
  p_changes waybill_change[], p_conditions jsonb, p_names jsonb, p_picked boolean, p_atomic boolean
) returns table (head bigint, at timestamptz, problems jsonb, woken text[])
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
declare
  v_now timestamptz;
  v_head bigint;
  v_before bigint[];
  v_phase record;
  v_ended uuid[] := '{}';
  v_woken text[] := '{}';
  v_bad int[] := '{}';
  v_problems jsonb := '[]';
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  v_now := date_trunc('milliseconds', clock_timestamp());
  v_head := coalesce((select s.position + s.n - 1 from segments s order by s.position desc limit 1), 0);
  v_before := array_fill(null::bigint, array[coalesce(
    (select max(s.first + cardinality(s.streams) - 1) from unnest(p_segments) as s), 0)]);

  v_phase := waybill_append_checks(p_segments, p_kinds, p_checks, p_guards, p_conditions, v_head, v_problems, v_bad);
  v_problems := v_phase.problems;
  v_bad := v_phase.bad;
  -- The three steps of a plain life take a stream's revision from its task's row, so no event is read. Scalar
  -- subqueries find rows of small tables instead of joins: a join that was planned while such a table was empty would
  -- read all of it for every item.
  if cardinality(p_successes) > 0 then
    v_phase := waybill_append_successes(p_successes, p_segments, v_head, v_now, v_problems, v_bad);
    v_problems := v_phase.problems;
    v_bad := v_phase.bad;
    for n in 1 .. cardinality(v_phase.firsts) loop v_before[v_phase.firsts[n]] := v_phase.befores[n]; end loop;
    v_ended := v_phase.awaited;
  end if;
  if cardinality(p_creates) > 0 then
    v_phase := waybill_append_creates(p_creates, p_segments, v_head, v_now, v_problems, v_bad);
    v_problems := v_phase.problems;
    v_bad := v_phase.bad;
  end if;
  if cardinality(p_claims) > 0 then
    v_phase := waybill_append_claims(p_claims, p_requests, p_picked, p_segments, v_head, v_now, v_problems, v_bad);
    v_problems := v_phase.problems;
    v_bad := v_phase.bad;
    for n in 1 .. cardinality(v_phase.firsts) loop v_before[v_phase.firsts[n]] := v_phase.befores[n]; end loop;
  end if;
  if cardinality(p_changes) > 0 then
    v_phase := waybill_append_changes(p_changes, p_atomic, p_segments, p_checks, v_head, v_now, v_problems, v_bad);
    v_problems := v_phase.problems;
    v_bad := v_phase.bad;
    for n in 1 .. cardinality(v_phase.firsts) loop v_before[v_phase.firsts[n]] := v_phase.befores[n]; end loop;
    v_ended := v_ended || v_phase.awaited;
    v_woken := v_phase.woken;
  end if;

  if p_atomic and cardinality(v_bad) > 0 then
    raise exception using errcode = 'WB001', message = 'refused as a whole', detail = v_problems::text;
  end if;

  -- Not one condition, which would be a statement of its own in each append.
  if cardinality(v_bad) > 0 then
    if exists (select from unnest(p_segments) as s where not s.items <@ v_bad) then
      raise exception using errcode = 'WB005', message = 'refused beside others', detail = v_problems::text;
    end if;
  end if;

  if cardinality(v_ended) > 0 then v_woken := v_woken || waybill_unblock(v_ended, v_now); end if;
  if cardinality(v_bad) = 0 then perform waybill_store_segments(p_segments, p_kinds, p_envelopes, v_head, v_before, v_now); end if;

  if p_conditions is not null and cardinality(v_bad) > 0 then
    delete from idempotency_keys k using jsonb_to_recordset(p_conditions) as x(i int, "idempotencyKey" jsonb, last int)
      where k.key = x."idempotencyKey"->>'key' and k.item = (x."idempotencyKey"->>'item')::int and k.position = v_head + x.last
        and x.i = any (v_bad);
  end if;
  if p_names is not null then
    insert into stream_names (stream, name)
      select x.stream, x.name from jsonb_to_recordset(p_names) as x(stream uuid, name text) on conflict do nothing;
  end if;
  return query select v_head, v_now, case when v_problems = '[]' then null else v_problems end, nullif(v_woken, '{}');
end $$
