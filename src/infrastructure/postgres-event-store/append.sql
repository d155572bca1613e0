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
  v_slow int[];
  v_steps record;
  v_ended uuid[] := '{}';
  v_created uuid[];
  v_woken text[] := '{}';
  v_staged uuid[] := '{}';
  v_with_keys boolean;
  v_closed boolean;
  v_with_batches boolean;
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
    select array_agg(c.task), count(c.key) > 0, count(c.batch) > 0, exists (select from system s where s.intake = 'closed')
      into v_created, v_with_keys, v_with_batches, v_closed from unnest(p_creates) as c;
    -- Looked up instead of left to ON CONFLICT, which writes every row to the WAL twice. Under the log lock, nobody
    -- else inserts.
    if exists (select from known_tasks t where t.task_id = any (v_created)) then
      for r in
        select c.*, t.revision as actual from unnest(p_creates) as c join known_tasks t on t.task_id = c.task where c.item <> all (v_bad)
      loop
        v_problems := v_problems || waybill_stale(r.item, p_segments, r.first, r.first, r.actual);
        v_bad := v_bad || r.item;
      end loop;
    end if;
    if exists (select from batches) and exists (select from batches b where b.id = any (v_created)) then
      select v_problems || coalesce(jsonb_agg(waybill_id_taken(c.task, 'task') || jsonb_build_object('i', c.item)), '[]'), v_bad || coalesce(array_agg(c.item), '{}')
        into v_problems, v_bad from unnest(p_creates) as c where c.item <> all (v_bad) and waybill_id_taken(c.task, 'task') is not null;
    end if;
    if v_closed then
      select v_problems || coalesce(jsonb_agg(waybill_draining() || jsonb_build_object('i', c.item)), '[]'), v_bad || coalesce(array_agg(c.item), '{}')
        into v_problems, v_bad from unnest(p_creates) as c where c.item <> all (v_bad);
    end if;
    if v_with_batches then
      for r in
        with batches as materialized (
          select b.id, waybill_batch_problem(b.id) as problem from (select distinct c.batch as id from unnest(p_creates) as c where c.batch is not null) b)
        select c.item, b.problem from unnest(p_creates) as c join batches b on b.id = c.batch where b.problem is not null and c.item <> all (v_bad)
      loop
        v_problems := v_problems || (r.problem || jsonb_build_object('i', r.item));
        v_bad := v_bad || r.item;
      end loop;
      v_staged := array(select b.id from batches b where b.state = 'planning' and b.id = any (array(select c.batch from unnest(p_creates) as c)));
    end if;
    v_slow := '{}';
    if v_with_keys then
      -- A key that no other task has gets its slot here. The others are handled one by one below.
      with keyed as materialized (
        select c.*, case when (select q.policy->>'duplicatePending' from queues q where q.name = c.queue) <> 'allow' then c.task end as place
        from unnest(p_creates) as c
        where c.key is not null and c.item <> all (v_bad)),
      fresh as (
        insert into key_slots (queue, key, waiting, ready)
          select distinct on (k.queue, k.key) k.queue, k.key, k.place, k.task from keyed k
          where (k.due is null or k.due <= v_now) and (k.batch is null or k.batch <> all (v_staged))
            and (select s.ctid from key_slots s where s.queue = k.queue and s.key = k.key) is null
            and (select w.task_id from waiting w where w.queue = k.queue and w.key = k.key limit 1) is null
            -- If tasks line up, a failed one may block the key.
            and (k.place is not null or (select f.task_id from key_failures f where f.queue = k.queue and f.key = k.key limit 1) is null)
          order by k.queue, k.key, k.first
          returning ready)
      select coalesce(array_agg(k.item), '{}') into v_slow from keyed k where k.task not in (select f.ready from fresh f);
    end if;
    with created as (
      insert into tasks (task_id, queue, state, kind, key, priority, labels, description, due_at, enqueued_at, attempt, seq, position, revision, batch, step)
        select c.task, c.queue, 'pending', c.kind, c.key, c.priority, c.labels::jsonb, c.description, c.due,
          v_now, 0, v_head + c.first, v_head + c.first, 0, c.batch, c.step
        from unnest(p_creates) as c
        where c.item <> all (v_bad) and c.item <> all (v_slow)
        returning task_id, queue, key, priority, due_at, seq, batch, step),
    ready_now as materialized (
      select c.*, c.seq - row_number() over (partition by c.queue, c.priority, c.step, c.key is null order by c.seq) as run
      from created c where (c.due_at is null or c.due_at <= v_now) and (c.batch is null or c.batch <> all (v_staged))),
    offered as (
      insert into ready (queue, priority, from_seq, to_seq, task_id, step)
        select y.queue, y.priority, min(y.seq), max(y.seq), null, y.step from ready_now y where y.key is null
        -- Extents stay short, so that a claim of one task does not lock many others. Most cover the tasks of one
        -- segment.
        group by y.queue, y.priority, y.step, y.run, (y.seq - v_head - 1) / 64
      union all
        select y.queue, y.priority, y.seq, y.seq, y.task_id, y.step from ready_now y where y.key is not null)
    insert into waiting (task_id, queue, gate, due_at, priority, place, blockers, staged)
      select c.task_id, c.queue, case when c.batch = any (v_staged) then 'blocked' else 'due' end, c.due_at, c.priority, c.seq,
        case when c.batch = any (v_staged) then 1 else 0 end, case when c.batch = any (v_staged) then c.batch end
      from created c where c.due_at > v_now or c.batch = any (v_staged);
    if cardinality(v_slow) > 0 then
      -- Behind a task of its key that runs or comes before it, a new one only lines up.
      with lined_up as materialized (
        select c.* from unnest(p_creates) as c join key_slots s on s.queue = c.queue and s.key = c.key
        where c.item = any (v_slow) and (c.due is null or c.due <= v_now) and (c.batch is null or c.batch <> all (v_staged))
          and (s.running is not null or (select t.priority from tasks t where t.task_id = s.ready) >= c.priority)
          and (select q.policy->>'duplicatePending' from queues q where q.name = c.queue) = 'allow'),
      created as (
        insert into tasks (task_id, queue, state, kind, key, priority, labels, description, due_at, enqueued_at, attempt, seq, position, revision, batch, step)
          select c.task, c.queue, 'pending', c.kind, c.key, c.priority, c.labels::jsonb, c.description, c.due,
            v_now, 0, v_head + c.first, v_head + c.first, 0, c.batch, c.step
          from lined_up c),
      lines as (
        insert into waiting (task_id, queue, gate, due_at, key, priority, place)
          select c.task, c.queue, 'key', c.due, c.key, c.priority, v_head + c.first from lined_up c)
      select array(select unnest(v_slow) except select c.item from lined_up c) into v_slow;
    end if;
    if v_with_batches then
      perform waybill_count_members(c.batch, null, 'pending', count(*)::int) from unnest(p_creates) as c
        where c.batch is not null and c.item <> all (v_bad) and c.item <> all (v_slow) group by c.batch;
    end if;
    for r in select c.* from unnest(p_creates) as c where c.item = any (v_slow) loop
      v_problem := waybill_move(jsonb_build_object('state', 'pending', 'moved', true,
          'create', jsonb_build_object('queue', r.queue, 'kind', r.kind, 'key', r.key, 'labels', r.labels::jsonb, 'description', r.description, 'batch', r.batch, 'step', r.step),
          'patch', jsonb_build_object('state', 'pending', 'priority', r.priority, 'due_at', r.due)),
        r.task, v_head + r.first, v_head + r.first, 0, v_now);
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', r.item));
        v_bad := v_bad || r.item;
      end if;
    end loop;
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
