create function waybill_append(
  -- items; p_first: the number of its first event; p_check: those whose revision only their events tell; p_base: that of their stream
  -- before this append, in which another item may come first
  p_stream uuid[], p_expected int[], p_first int[], p_check int[], p_base int[], p_queue_guard int[],
  -- the queues whose revision is guarded; p_queue_guard points into them, 0 for none
  p_queue text[], p_queue_revision int[],
  -- events, item by item; p_kind and p_envelope point into the lists below
  p_item int[], p_revision int[], p_kind int[], p_envelope int[], p_id uuid[], p_data text[],
  p_category text[], p_type text[], p_version int[], p_meta text[],
  -- plain creates: unreferenced, to be offered
  c_item int[], c_queue text[], c_kind text[], c_key text[], c_priority int[], c_labels text[], c_description text[],
  c_due timestamptz[],
  -- claims; k_request points into the requests below; k_picked: their rows have left the ready lane already
  k_item int[], k_token bigint[], k_attempt int[], k_request int[], k_picked boolean, k_queue text,
  r_worker text[], r_server text[], r_secret uuid[], r_claim uuid[], r_lease_ms int[], r_started timestamptz[],
  -- successes under a claim
  s_item int[], s_token bigint[], s_secret uuid[],
  -- everything else, an object per item
  p_moves jsonb, p_queues jsonb, p_rules jsonb, p_names jsonb,
  p_atomic boolean
) returns table (head bigint, at timestamptz, problems jsonb)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
declare
  v_now timestamptz;
  v_head bigint;
  v_count int;
  v_keyed uuid[];
  v_ended bigint[];
  v_recorded jsonb;
  v_slow int[];
  v_queues text[];
  v_keys text[];
  v_bad int[] := '{}';
  v_problem jsonb;
  v_problems jsonb := '[]';
  r record;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  v_now := date_trunc('milliseconds', clock_timestamp());
  select coalesce(max(e.position), 0) into v_head from events e;

  for r in
    select i.item, coalesce(x.revision, -1) as actual
    from unnest(p_check, p_base) as i(item, base)
    left join lateral (
      select e.revision from events e where e.stream = p_stream[i.item] order by e.revision desc limit 1) x on true
    where coalesce(x.revision, -1) <> i.base
  loop
    v_problems := v_problems || waybill_stale(r.item, p_stream[r.item], p_expected[r.item], p_first, p_id, r.actual);
    v_bad := v_bad || r.item;
  end loop;

  if exists (select from unnest(p_queue, p_queue_revision) as g(name, revision) left join queues q on q.name = g.name
             where q.revision is distinct from g.revision) then
    for r in
      select i.item::int from unnest(p_queue_guard) with ordinality as i(guard, item)
      join unnest(p_queue, p_queue_revision) with ordinality as g(name, revision, guard) on g.guard = i.guard
      left join queues q on q.name = g.name
      where q.revision is distinct from g.revision and i.item <> all (v_bad)
    loop
      v_problems := v_problems || jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'queue-changed');
      v_bad := v_bad || r.item;
    end loop;
  end if;

  if p_rules is not null then
    for r in select x.* from jsonb_to_recordset(p_rules)
        as x(i int, others jsonb, key jsonb, last int)
      where x.i <> all (v_bad) loop
      v_problem := null;
      if r.others is not null and waybill_others_changed(r.others) then
        v_problem := jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed');
      elsif r.key is not null then
        v_recorded := waybill_take_key(r.key, v_head + r.last);
        if v_recorded is not null then
          v_problem := jsonb_build_object('kind', 'refused', 'constraint', 'idempotency-key', 'recorded', v_recorded);
        end if;
      end if;
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', r.i));
        v_bad := v_bad || r.i;
      end if;
    end loop;
  end if;

  -- The three steps of a plain life know a stream's revision from its task's row: no look at the events is needed.
  -- generate_series with subscripts, because unnest of many arrays copies every value through a tuple store. Rows of small tables are
  -- found by scalar subqueries, and not by joins: planned while such a table was empty, a join would read all of it for every item.
  if cardinality(s_item) > 0 then
    with held as materialized (
      select n, (select l.task_id from leases l where l.token = s_token[n] and (l.secret is null or l.secret = s_secret[n])) as task
      from generate_series(1, cardinality(s_item)) as n),
    succeeded as (
      update tasks t set state = 'succeeded', finished_at = v_now, failed_at = null, error = null, error_class = null,
        position = v_head + p_first[s_item[n]], revision = t.revision + 1
      from held h
      where t.task_id = h.task and t.task_id = p_stream[s_item[n]] and t.revision = p_expected[s_item[n]]
        and s_item[n] <> all (v_bad)
      returning t.task_id, t.queue, t.key, s_token[n] as token)
    select array_agg(d.token), array_agg(d.task_id) filter (where d.key is not null),
        array_agg(d.queue) filter (where d.key is not null), array_agg(d.key) filter (where d.key is not null)
      into v_ended, v_keyed, v_queues, v_keys from succeeded d;
    delete from leases where token = any (v_ended);
    get diagnostics v_count = row_count;
    if v_keyed is not null then
      -- Most keys have nobody in line behind the task, and their slots go all at once.
      with slots as materialized (
        select n, (select s.ctid from key_slots s
            where s.queue = v_queues[n] and s.key = v_keys[n] and s.running = v_keyed[n] and s.waiting is null and s.ready is null
              and not exists (select from waiting w where w.queue = s.queue and w.key = s.key and w.gate = 'key')) as place
        from generate_series(1, cardinality(v_keyed)) as n),
      left_alone as (delete from key_slots s where s.ctid = any (array(select l.place from slots l)))
      select array_agg(l.n) into v_slow from slots l where l.place is null;
      perform waybill_leave_line(v_keyed[n], v_queues[n], v_keys[n], false),
          waybill_next_of_key(v_keyed[n], v_queues[n], v_keys[n]) from unnest(v_slow) as n;
    end if;
    if exists (select from queues q where q.failure_streak > 0) then
      update queues q set failure_streak = 0, failure_task = null where q.failure_streak > 0 and exists (
        select from unnest(s_item) as s(item) join tasks t on t.task_id = p_stream[s.item]
        where t.queue = q.name and t.position = v_head + p_first[s.item]);
    end if;
    if v_count < cardinality(s_item) then
      for r in
        select s.item, coalesce(t.revision, -1) as actual from unnest(s_item) as s(item)
        left join tasks t on t.task_id = p_stream[s.item]
        where t.position is distinct from v_head + p_first[s.item] and s.item <> all (v_bad)
      loop
        v_problems := v_problems || case when r.actual = p_expected[r.item]
          then jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'lease')
          else waybill_stale(r.item, p_stream[r.item], p_expected[r.item], p_first, p_id, r.actual) end;
        v_bad := v_bad || r.item;
      end loop;
    end if;
  end if;

  if cardinality(c_item) > 0 then
    -- Looked up, and not left to ON CONFLICT, which writes every row to the WAL twice; nobody else inserts under the log lock.
    if exists (select from tasks t where t.task_id = any (array(select p_stream[i.item] from unnest(c_item) as i(item)))) then
      for r in
        select c.item, t.revision as actual from unnest(c_item) as c(item) join tasks t on t.task_id = p_stream[c.item]
        where c.item <> all (v_bad)
      loop
        v_problems := v_problems || waybill_stale(r.item, p_stream[r.item], -1, p_first, p_id, r.actual);
        v_bad := v_bad || r.item;
      end loop;
    end if;
    v_slow := '{}';
    if exists (select from unnest(c_key) as k(key) where k.key is not null) then
      -- A key that nobody has takes its slot here; a known one is looked at one by one, below.
      with keyed as materialized (
        select n, p_stream[c_item[n]] as task, case when
            (select q.policy->>'duplicatePending' from queues q where q.name = c_queue[n]) <> 'allow' then p_stream[c_item[n]] end as place
        from generate_series(1, cardinality(c_item)) as n
        where c_key[n] is not null and c_item[n] <> all (v_bad)),
      fresh as (
        insert into key_slots (queue, key, waiting, ready)
          select c_queue[k.n], c_key[k.n], k.place, k.task from keyed k
          where (c_due[k.n] is null or c_due[k.n] <= v_now)
            and not exists (select from waiting w where w.queue = c_queue[k.n] and w.key = c_key[k.n])
            -- Where tasks line up, a failed one may block the key.
            and (k.place is not null or not exists (
              select from key_failures f where f.queue = c_queue[k.n] and f.key = c_key[k.n]))
          on conflict (queue, key) do nothing
          returning ready)
      select coalesce(array_agg(c_item[k.n]), '{}') into v_slow from keyed k where k.task not in (select f.ready from fresh f);
    end if;
    insert into tasks (task_id, queue, state, kind, key, priority, labels, description, due_at, enqueued_at, attempt, seq, position, revision)
      select p_stream[c_item[n]], c_queue[n], 'pending', c_kind[n], c_key[n], c_priority[n], c_labels[n]::jsonb, c_description[n], c_due[n],
        v_now, 0, v_head + p_first[c_item[n]], v_head + p_first[c_item[n]], 0
      from generate_series(1, cardinality(c_item)) as n
      where c_item[n] <> all (v_bad) and c_item[n] <> all (v_slow);
    insert into ready (queue, priority, seq, task_id)
      select c_queue[n], c_priority[n], v_head + p_first[c_item[n]], p_stream[c_item[n]]
      from generate_series(1, cardinality(c_item)) as n
      where c_item[n] <> all (v_bad) and c_item[n] <> all (v_slow) and (c_due[n] is null or c_due[n] <= v_now);
    insert into waiting (task_id, queue, gate, due_at, priority, seq)
      select p_stream[c_item[n]], c_queue[n], 'due', c_due[n], c_priority[n], v_head + p_first[c_item[n]]
      from generate_series(1, cardinality(c_item)) as n
      where c_item[n] <> all (v_bad) and c_item[n] <> all (v_slow) and c_due[n] > v_now;
    for r in select c_item[n] as i, n from generate_series(1, cardinality(c_item)) as n where c_item[n] = any (v_slow) loop
      v_problem := waybill_move(jsonb_build_object('state', 'pending', 'moved', true,
          'create', jsonb_build_object('queue', c_queue[r.n], 'kind', c_kind[r.n], 'key', c_key[r.n],
            'labels', c_labels[r.n]::jsonb, 'description', c_description[r.n]),
          'patch', jsonb_build_object('state', 'pending', 'priority', c_priority[r.n], 'due_at', c_due[r.n])),
        p_stream[r.i], v_head + p_first[r.i], v_head + p_first[r.i], 0, v_now);
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', r.i));
        v_bad := v_bad || r.i;
      end if;
    end loop;
  end if;

  if exists (select from claims c where c.claim_id = any (r_claim)) then
    for r in
      select i.item from unnest(k_item, k_request) as i(item, request) join claims c on c.claim_id = r_claim[i.request]
      where i.item <> all (v_bad)
    loop
      v_problems := v_problems || jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'claim-repeated');
      v_bad := v_bad || r.item;
    end loop;
  end if;

  if cardinality(k_item) > 0 then
    with claimed as (
      update tasks t set state = 'running', worker = r_worker[k_request[n]], attempt = k_attempt[n],
        started_at = r_started[k_request[n]], waiting_since = null, error = null, error_class = null,
        position = v_head + p_first[k_item[n]], revision = p_expected[k_item[n]] + 1
      from generate_series(1, cardinality(k_item)) as n
      where t.task_id = p_stream[k_item[n]] and t.revision = p_expected[k_item[n]] and k_item[n] <> all (v_bad)
      returning t.task_id, t.queue, t.key, t.priority, t.seq),
    taken as (
      delete from ready old using claimed c
      where not k_picked and old.queue = c.queue and old.priority = c.priority and old.seq = c.seq),
    slots as (
      update key_slots s set running = s.ready, ready = null, waiting = nullif(s.waiting, s.ready)
      where s.ctid = any (array(
        select (select k.ctid from key_slots k where k.queue = c.queue and k.key = c.key and k.ready = c.task_id)
        from claimed c where c.key is not null)))
    select count(*) into v_count from claimed;
    if v_count < cardinality(k_item) then
      for r in
        select k.item, coalesce(t.revision, -1) as actual from unnest(k_item) as k(item)
        left join tasks t on t.task_id = p_stream[k.item]
        where t.position is distinct from v_head + p_first[k.item] and k.item <> all (v_bad)
      loop
        v_problems := v_problems || waybill_stale(r.item, p_stream[r.item], p_expected[r.item], p_first, p_id, r.actual);
        v_bad := v_bad || r.item;
      end loop;
    end if;
    insert into leases (token, task_id, queue, worker, server, secret, claim_id, lease_ms, deadline)
      select k_token[n], p_stream[k_item[n]], k_queue, r_worker[q], r_server[q], r_secret[q], r_claim[q], r_lease_ms[q],
        v_now + r_lease_ms[q] * interval '1 millisecond'
      from generate_series(1, cardinality(k_item)) as n cross join lateral (select k_request[n] as q) as request
      where k_item[n] <> all (v_bad);
    insert into claims (claim_id, queue, worker, first_token, last_token, created_at)
      select r_claim[k.request], k_queue, r_worker[k.request], min(k.token), max(k.token), v_now
      from unnest(k_item, k_token, k_request) as k(item, token, request)
      where k.item <> all (v_bad) group by k.request;
  end if;

  if p_moves is not null or p_queues is not null then
    -- Each in its turn: a queue that is finished behind its last task's end is empty, and a failure before its resumption counts for nothing.
    for r in select m, (m->>'i')::int as i from jsonb_array_elements(coalesce(p_moves, '[]') || coalesce(p_queues, '[]')) as m
      where (m->>'i')::int <> all (v_bad) order by i
    loop
      -- Nothing goes on in a stream from what was not done.
      continue when p_atomic and cardinality(v_bad) > 0 and p_stream[r.i] in (select p_stream[b] from unnest(v_bad) as b);
      v_problem := case when not r.m ? 'row' then waybill_move(r.m, p_stream[r.i], v_head + p_first[r.i],
          v_head + (r.m->>'last')::int, (r.m->>'revision')::int, v_now)
        -- Nor does it tell what a queue would be behind it.
        when not p_atomic or cardinality(v_bad) = 0 then waybill_queue_problem(r.m) end;
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', r.i));
        v_bad := v_bad || r.i;
      elsif r.m ? 'row' then
        perform waybill_write_queue(r.m->'row', v_head + (r.m->>'last')::int, (r.m->>'revision')::int);
      end if;
    end loop;
  end if;

  if p_atomic and cardinality(v_bad) > 0 then
    raise exception using errcode = 'WB001', message = 'refused as a whole', detail = v_problems::text;
  end if;

  insert into events (position, stream, revision, category, type, version, id, recorded_at, data, meta)
    select v_head + n, p_stream[p_item[n]], p_revision[n], p_category[k], p_type[k], p_version[k], p_id[n], v_now, p_data[n],
      p_meta[p_envelope[n]]
    from generate_series(1, cardinality(p_item)) as n cross join lateral (select p_kind[n] as k) as kind
    where p_item[n] <> all (v_bad);

  if p_rules is not null and cardinality(v_bad) > 0 then
    delete from idempotency_keys k using jsonb_to_recordset(p_rules) as x(i int, key jsonb, last int)
      where k.key = x.key->>'key' and k.item = (x.key->>'item')::int and k.position = v_head + x.last and x.i = any (v_bad);
  end if;
  if p_names is not null then
    insert into stream_names (stream, name)
      select x.stream, x.name from jsonb_to_recordset(p_names) as x(stream uuid, name text) on conflict do nothing;
  end if;
  return query select v_head, v_now, case when v_problems = '[]' then null else v_problems end;
end $$
