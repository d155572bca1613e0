-- Stores the events of all items and applies their changes to the dispatch index. An item that breaks a constraint is
-- not stored; with p_atomic, nothing is. append-records.ts describes the records. JSON carries what few appends have:
-- p_changes has the changes of the index without a record of their own, p_conditions the conditions besides the
-- revisions of the stream and its queue, and p_names the names of streams without a UUID. p_picked: the claims' tasks
-- have already left the ready lane. woken: other queues in which tasks became ready, because these were waiting for
-- tasks that the items ended; null if there are none.
create function waybill_append(
  p_segments waybill_segment[], p_kinds waybill_event_kind[], p_envelopes text[],
  p_checks waybill_check[], p_guards waybill_queue_guard[],
  p_creates waybill_create[], p_claims waybill_claim[], p_requests waybill_claim_request[], p_successes waybill_success[],
  p_changes jsonb, p_conditions jsonb, p_names jsonb, p_picked boolean, p_atomic boolean
) returns table (head bigint, at timestamptz, problems jsonb, woken text[])
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
declare
  v_now timestamptz;
  v_head bigint;
  v_before bigint[];
  v_leases bigint[];
  v_steps record;
  v_ended uuid[] := '{}';
  v_tasks uuid[];
  v_created record;
  v_woken text[] := '{}';
  v_batches uuid[];
  v_keyed boolean;
  v_closed boolean;
  v_bad int[] := '{}';
  v_problem jsonb;
  v_problems jsonb := '[]';
  r record;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  v_now := date_trunc('milliseconds', clock_timestamp());
  v_head := coalesce((select s.position + s.n - 1 from segments s order by s.position desc limit 1), 0);
  v_before := array_fill(null::bigint, array[coalesce(
    (select max(s.first + cardinality(s.streams) - 1) from unnest(p_segments) as s), 0)]);

  for r in
    select c.*, coalesce(t.revision, a.revision, x.revision, -1) as actual, a.revision as archived
    from unnest(p_checks) as c
    left join tasks t on t.task_id = c.stream
    left join lateral (
      select a.revision from tasks_archive a where t.task_id is null and a.task_id = c.stream) a on true
    left join lateral (
      select coalesce(s.revisions[1], 0) as revision from segments s
      where t.task_id is null and s.category <> 'task' and s.streams[1] = c.stream
      order by coalesce(s.revisions[1], 0) desc limit 1) x on true
    where coalesce(t.revision, x.revision, -1) <> c.base or a.revision is not null
  loop
    -- An item before this one may have brought the row back.
    continue when r.archived = r.base
      and (waybill_restore(array[r.stream]) = 1 or exists (select from tasks t where t.task_id = r.stream));
    v_problem := null;
    if r.base < 0 then
      select waybill_id_taken(r.stream, (p_kinds[s.kind]).category) into v_problem from unnest(p_segments) as s where r.item = any (s.items) limit 1;
    end if;
    v_problems := v_problems || coalesce(v_problem || jsonb_build_object('i', r.item), waybill_stale(r.item, p_segments, r.first, r.last, r.actual));
    v_bad := v_bad || r.item;
  end loop;

  for r in
    select g.items, jsonb_build_object('queue', jsonb_build_object('name', g.name, 'revision', g.revision)) as m
    from unnest(p_guards) as g left join queues q on q.name = g.name where q.revision is distinct from g.revision
  loop
    v_problem := waybill_guard_problem(r.m);
    select v_problems || coalesce(jsonb_agg(v_problem || jsonb_build_object('i', i)), '[]'), v_bad || coalesce(array_agg(i), '{}')
      into v_problems, v_bad from unnest(r.items) as i where i <> all (v_bad);
  end loop;

  if p_conditions is not null then
    for r in select m, (m->>'i')::int as i from jsonb_array_elements(p_conditions) as m where (m->>'i')::int <> all (v_bad) loop
      v_problem := waybill_guard_problem(r.m, v_head + (r.m->>'last')::int);
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', r.i));
        v_bad := v_bad || r.i;
      end if;
    end loop;
  end if;

  -- The three steps of a plain life take a stream's revision from its task's row, so no event is read. Scalar
  -- subqueries find rows of small tables instead of joins: a join that was planned while such a table was empty would
  -- read all of it for every item.
  if cardinality(p_successes) > 0 then
    v_steps := waybill_succeed(p_successes, v_head, null, v_now, null, v_bad);
    for n in 1 .. cardinality(v_steps.firsts) loop v_before[v_steps.firsts[n]] := v_steps.befores[n]; end loop;
    v_ended := v_ended || v_steps.awaited;
    if cardinality(v_steps.firsts) < cardinality(p_successes) then
      for r in
        select s.*, coalesce(t.revision, -1) as actual from unnest(p_successes) as s left join tasks t on t.task_id = s.task
        where t.position is distinct from v_head + s.first and s.item <> all (v_bad)
      loop
        v_problems := v_problems || case when r.actual = r.expected
          then jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'lease')
          else waybill_stale(r.item, p_segments, r.first, r.first, r.actual) end;
        v_bad := v_bad || r.item;
      end loop;
    end if;
  end if;

  if cardinality(p_creates) > 0 then
    select array_agg(c.task), count(c.key) > 0, array_agg(c.batch) filter (where c.batch is not null), exists (select from system s where s.intake = 'closed')
      into v_tasks, v_keyed, v_batches, v_closed from unnest(p_creates) as c;
    -- Looked up instead of left to ON CONFLICT, which writes every row to the WAL twice. Under the log lock, nobody
    -- else inserts.
    if exists (select from known_tasks t where t.task_id = any (v_tasks)) then
      for r in
        select c.*, t.revision as actual from unnest(p_creates) as c join known_tasks t on t.task_id = c.task where c.item <> all (v_bad)
      loop
        v_problems := v_problems || waybill_stale(r.item, p_segments, r.first, r.first, r.actual);
        v_bad := v_bad || r.item;
      end loop;
    end if;
    if exists (select from batches) and exists (select from batches b where b.id = any (v_tasks)) then
      select v_problems || coalesce(jsonb_agg(waybill_id_taken(c.task, 'task') || jsonb_build_object('i', c.item)), '[]'), v_bad || coalesce(array_agg(c.item), '{}')
        into v_problems, v_bad from unnest(p_creates) as c where c.item <> all (v_bad) and waybill_id_taken(c.task, 'task') is not null;
    end if;
    if v_closed then
      select v_problems || coalesce(jsonb_agg(waybill_draining() || jsonb_build_object('i', c.item)), '[]'), v_bad || coalesce(array_agg(c.item), '{}')
        into v_problems, v_bad from unnest(p_creates) as c where c.item <> all (v_bad);
    end if;
    if v_batches is not null then
      for r in
        with batches as materialized (
          select b.id, waybill_batch_problem(b.id) as problem from (select distinct unnest(v_batches) as id) b)
        select c.item, b.problem from unnest(p_creates) as c join batches b on b.id = c.batch where b.problem is not null and c.item <> all (v_bad)
      loop
        v_problems := v_problems || (r.problem || jsonb_build_object('i', r.item));
        v_bad := v_bad || r.item;
      end loop;
    end if;
    v_created := waybill_create(p_creates, v_head, null, v_now, null, v_bad, v_keyed, v_batches);
    v_problems := v_problems || v_created.problems;
    v_bad := v_bad || v_created.bad;
  end if;

  if cardinality(p_claims) > 0 then
    if exists (select from claims c where c.claim_id = any (array(select q.claim_id from unnest(p_requests) as q))) then
      for r in
        select k.item from unnest(p_claims) as k join claims c on c.claim_id = (p_requests[k.request]).claim_id where k.item <> all (v_bad)
      loop
        v_problems := v_problems || jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'claim-repeated');
        v_bad := v_bad || r.item;
      end loop;
    end if;
    v_leases := array(select nextval('lease_tokens') from unnest(p_requests));
    v_steps := waybill_claim(p_claims, p_requests, v_leases, v_head, null, v_bad);
    if not p_picked then
      perform waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) from tasks t where t.position = any (
        array(select v_head + n from unnest(v_steps.firsts) as n)) and t.task_id = any (array(select k.task from unnest(p_claims) as k));
    end if;
    for n in 1 .. cardinality(v_steps.firsts) loop v_before[v_steps.firsts[n]] := v_steps.befores[n]; end loop;
    if cardinality(v_steps.firsts) < cardinality(p_claims) then
      for r in
        select k.*, coalesce(t.revision, -1) as actual from unnest(p_claims) as k left join tasks t on t.task_id = k.task
        where t.position is distinct from v_head + k.first and k.item <> all (v_bad)
      loop
        v_problems := v_problems || waybill_stale(r.item, p_segments, r.first, r.first, r.actual);
        v_bad := v_bad || r.item;
      end loop;
    end if;
    with granted as materialized (
      select request, array_agg(task order by token) as tasks, min(token) as first_token, max(token) as last_token
      from unnest(p_claims) where item <> all (v_bad) group by request),
    leased as (
      insert into leases (id, queue, worker, server, holder, secret, claim_id, lease_ms, deadline, open, tasks)
        select v_leases[k.request], q.queue, q.worker, q.server, q.holder, q.secret, q.claim_id, q.lease_ms, v_now + q.lease_ms * interval '1 millisecond',
          cardinality(k.tasks), k.tasks
        from granted k join unnest(p_requests) with ordinality as q on q.ordinality = k.request)
    insert into claims (claim_id, queue, worker, first_token, last_token, created_at)
      select q.claim_id, q.queue, q.worker, k.first_token, k.last_token, v_now
      from granted k join unnest(p_requests) with ordinality as q on q.ordinality = k.request;
  end if;

  if p_changes is not null then
    -- One after the other: a queue is empty after its last task has ended, and a failure before the queue's resumption
    -- does not count.
    for r in select m, (m->>'i')::int as i, (m->>'stream')::uuid as stream, v_head + (m->>'last')::int as position
      from jsonb_array_elements(p_changes) as m where (m->>'i')::int <> all (v_bad)
    loop
      -- An item does not continue the stream of an item that was not stored.
      continue when p_atomic and cardinality(v_bad) > 0
        and (exists (select from unnest(p_segments) as s cross join lateral unnest(s.items, s.streams) as e(item, stream)
            where e.item = any (v_bad) and e.stream = r.stream)
          or exists (select from unnest(p_checks) as c where c.item = any (v_bad) and c.stream = r.stream));
      if not r.m ? 'row' and (r.m->>'first')::int <= (r.m->>'last')::int then
        v_before[(r.m->>'first')::int] := (select t.position from tasks t where t.task_id = r.stream);
        for n in (r.m->>'first')::int + 1 .. (r.m->>'last')::int loop v_before[n] := v_head + n - 1; end loop;
      end if;
      v_problem := case when not r.m ? 'row' then
          waybill_move(r.m, r.stream, v_head + (r.m->>'first')::int, r.position, (r.m->>'revision')::int, v_now)
        -- After such an item, it is unknown whether a queue is empty.
        when not p_atomic or cardinality(v_bad) = 0 then waybill_guard_problem(r.m) end;
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', r.i));
        v_bad := v_bad || r.i;
      elsif r.m->>'state' in ('succeeded', 'superseded', 'aborted') then
        v_ended := v_ended || array(select t.task_id from tasks t where t.task_id = r.stream and t.awaited);
      elsif r.m ? 'row' then
        perform waybill_write_row(r.m->>'table', r.m->'row', r.position, (r.m->>'revision')::int, v_now);
        v_woken := v_woken || waybill_follow_row(r.m->>'table', r.m->'row', v_now);
      end if;
    end loop;
  end if;

  if p_atomic and cardinality(v_bad) > 0 then
    raise exception using errcode = 'WB001', message = 'refused as a whole', detail = v_problems::text;
  end if;

  if cardinality(v_ended) > 0 then v_woken := v_woken || waybill_unblock(v_ended, v_now); end if;
  perform waybill_store_segments(p_segments, p_kinds, p_envelopes, v_head, v_before, v_now, v_bad);

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
