/**
 * The functions that write. What to write is computed in TypeScript; they hold no rule beyond constraints.
 *
 * Every index change happens under the log lock, so that row locks are never waited for in a circle. The one exception is
 * the claim, which locks rows of `ready` before it comes here; nobody waits for those: a task that a claim has in its hands
 * answers `conflict`, and is decided again when the claim is through.
 */
export const LOG_LOCK = 7_283_001;

export const APPEND_FUNCTION = `
-- A task that waits for the key, if it is another one and the queue's policy knows only one. Those that lined up under an
-- earlier policy count, although none of them has the place.
create function waybill_key_holder(p_queue text, p_key text, p_task uuid) returns uuid language sql as $$
  select h.task_id from queues q cross join lateral (
      select s.waiting as task_id from key_slots s where s.queue = p_queue and s.key = p_key
      union all select s.ready from key_slots s where s.queue = p_queue and s.key = p_key
      union all select w.task_id from waiting w
        where w.queue = p_queue and w.key = p_key and w.gate in ('due', 'key', 'held')) h
  where q.name = p_queue and q.policy->>'duplicatePending' <> 'allow' and h.task_id <> p_task limit 1
$$;

-- The first task of a key that keeps those behind it waiting: it has failed, errs, or waits for its automatic retry. Null where there is
-- none, or the queue's policy does not ask for it.
create function waybill_key_blocker(p_queue text, p_key text) returns tasks language sql as $$
  select t.* from queues q cross join lateral (
      select f.task_id from key_failures f where f.queue = p_queue and f.key = p_key
      union all
      select w.task_id from waiting w where w.queue = p_queue and w.key = p_key and w.gate = 'due') b
    join tasks t on t.task_id = b.task_id
  where q.name = p_queue and q.policy->>'onKeyFailure' = 'block' and (t.state <> 'pending' or t.attempt > 0)
  order by t.seq limit 1
$$;

-- Takes the key's one waiting place for a task; where the policy lets tasks line up there is no such place.
create function waybill_take_place(p_task uuid, p_queue text, p_key text) returns key_slots language sql as $$
  insert into key_slots as s (queue, key, waiting)
    select p_queue, p_key, case when q.policy->>'duplicatePending' <> 'allow' then p_task end from queues q where q.name = p_queue
    on conflict (queue, key) do update set waiting = coalesce(s.waiting, excluded.waiting) returning *
$$;

-- Puts the ready task of a key back in line behind one that comes before it; false where it stays: it comes first, or is just being claimed.
create function waybill_overtake(p_ready uuid, p_queue text, p_key text, p_priority int, p_seq bigint) returns boolean
language plpgsql as $$
declare
  t tasks;
begin
  select * into t from tasks where task_id = p_ready;
  if t.priority > p_priority or t.priority = p_priority and t.seq < p_seq then return false; end if;
  delete from ready where ctid in (
    select r.ctid from ready r where r.queue = p_queue and r.priority = t.priority and r.seq = t.seq for update skip locked);
  if not found then return false; end if;
  insert into waiting (task_id, queue, gate, due_at, key, priority, seq)
    values (t.task_id, p_queue, 'key', t.due_at, p_key, t.priority, t.seq);
  return true;
end $$;

-- Places a pending task: ready (true), or waiting for its time or its key.
create function waybill_offer(p_task uuid, p_queue text, p_key text, p_priority int, p_seq bigint,
                              p_due timestamptz, p_now timestamptz) returns boolean language plpgsql as $$
declare
  v_slot key_slots;
  v_gate text := case when p_due > p_now then 'due' end;
begin
  if p_key is not null then
    v_slot := waybill_take_place(p_task, p_queue, p_key);
    if v_gate is null and (v_slot.running is not null or p_seq > (waybill_key_blocker(p_queue, p_key)).seq
        or v_slot.ready is not null and not waybill_overtake(v_slot.ready, p_queue, p_key, p_priority, p_seq)) then
      v_gate := 'key';
    elsif v_gate is null then
      update key_slots set ready = p_task where queue = p_queue and key = p_key;
    end if;
  end if;
  if v_gate is null then
    insert into ready (queue, priority, seq, task_id) values (p_queue, p_priority, p_seq, p_task);
  else
    insert into waiting (task_id, queue, gate, due_at, key, priority, seq)
      values (p_task, p_queue, v_gate, p_due, p_key, p_priority, p_seq);
  end if;
  return v_gate is null;
end $$;

-- Takes a task out of the line for its key; p_stays: it keeps the waiting place, because it is placed anew at once.
create function waybill_leave_line(p_task uuid, p_queue text, p_key text, p_stays boolean) returns void language sql as $$
  update key_slots set ready = nullif(ready, p_task), waiting = case when p_stays then waiting else nullif(waiting, p_task) end
  where queue = p_queue and key = p_key
$$;

-- The task no longer runs for its key: the next in line gets its turn.
create function waybill_next_of_key(p_task uuid, p_queue text, p_key text) returns void language plpgsql as $$
declare
  v_slot key_slots;
  v_blocker bigint := (waybill_key_blocker(p_queue, p_key)).seq;
  v_next waiting;
begin
  update key_slots set running = nullif(running, p_task) where queue = p_queue and key = p_key returning * into v_slot;
  if not found or v_slot.running is not null or v_slot.ready is not null then return; end if;
  select * into v_next from waiting where queue = p_queue and key = p_key and gate = 'key'
    and (v_blocker is null or seq < v_blocker) order by priority desc, seq limit 1;
  if found then
    delete from waiting where task_id = v_next.task_id;
    insert into ready (queue, priority, seq, task_id) values (p_queue, v_next.priority, v_next.seq, v_next.task_id);
    update key_slots set ready = v_next.task_id where queue = p_queue and key = p_key;
  elsif v_slot.waiting is null and v_blocker is null then
    delete from key_slots where queue = p_queue and key = p_key;
  end if;
end $$;

-- Takes an open task out of the index; false where a claim has it in its hands.
create function waybill_withdraw(t tasks) returns boolean language plpgsql as $$
begin
  delete from ready where (queue, priority, seq) in (
    select queue, priority, seq from ready
    where queue = t.queue and priority = t.priority and seq = t.seq for update skip locked);
  if found then return true; end if;
  delete from waiting where task_id in (select task_id from waiting where task_id = t.task_id for update skip locked);
  return found;
end $$;

-- Moves tasks whose time has come from waiting to ready, the first in line first, until p_max are ready: one whose key is busy
-- must not stand in the way of one that can run. The caller holds the log lock.
create function waybill_promote(p_queue text, p_now timestamptz, p_max int) returns void language plpgsql as $$
declare
  w waiting;
  v_ready int := 0;
  v_seen int;
begin
  loop
    v_seen := 0;
    for w in select * from waiting where queue = p_queue and gate = 'due' and due_at <= p_now
      order by priority desc, seq limit greatest(p_max, 1000) loop
      delete from waiting where task_id = w.task_id;
      if waybill_offer(w.task_id, w.queue, w.key, w.priority, w.seq, null, p_now) then v_ready := v_ready + 1; end if;
      v_seen := v_seen + 1;
    end loop;
    exit when v_seen = 0 or v_ready >= p_max;
  end loop;
end $$;

-- One task's move that is not on the fast path, or one create with a constraint. Null: done. Otherwise the problem.
create function waybill_move(m jsonb, p_task uuid, p_seq bigint, p_position bigint, p_revision int, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  t tasks;
  v_lease jsonb := m->'lease';
  v_state text := m->>'state';
  v_holder text;
begin
  if m ? 'create' then
    t := jsonb_populate_record(null::tasks, m->'create');
    t.task_id := p_task; t.seq := p_seq; t.enqueued_at := p_now; t.attempt := 0;
    if t.reference is not null then
      select o.task_id into v_holder from tasks o join queues q on q.name = o.queue
        where o.queue = t.queue and o.reference = t.reference and (q.policy->>'uniqueReference' = 'always'
          or q.policy->>'uniqueReference' = 'open' and o.state not in ('succeeded', 'aborted', 'superseded', 'deleted'))
        limit 1;
      if found then return jsonb_build_object('kind', 'refused', 'constraint', 'reference', 'holder', v_holder); end if;
    end if;
  else
    select * into t from tasks where task_id = p_task;
  end if;
  if v_lease is not null then
    perform 1 from leases l where l.token = (v_lease->>'token')::bigint
      and case when v_lease ? 'expired' then l.deadline < p_now
          else l.secret is null or l.secret = (v_lease->>'secret')::uuid end for update;
    if not found then return jsonb_build_object('kind', 'refused', 'constraint', 'lease', 'holder', null); end if;
  end if;
  if t.key is not null and v_state in ('pending', 'held') then
    v_holder := waybill_key_holder(t.queue, t.key, p_task);
    if v_holder is not null then
      return jsonb_build_object('kind', 'refused', 'constraint', 'key-waiting', 'holder', v_holder);
    end if;
  end if;
  if t.state in ('prepared', 'pending', 'held', 'errored') and not m ? 'create'
     and m ? 'moved' then
    if not waybill_withdraw(t) then return jsonb_build_object('kind', 'conflict', 'actual', p_revision); end if;
  end if;
  if t.state = 'running' and v_state <> 'running' then
    delete from leases where case when m ? 'release' then token = (m->>'release')::bigint else task_id = p_task end;
  end if;
  if m ? 'cancel' then update leases set cancel_requested = true where token = (m->>'cancel')::bigint; end if;
  if t.state in ('failed', 'errored') and v_state is not null and t.key is not null then
    delete from key_failures where queue = t.queue and key = t.key and task_id = p_task;
  end if;
  return waybill_settle_move(m, t, p_task, p_position, p_revision, p_now);
end $$;

-- The effects of a move whose constraints hold: the task's row, its place in the index, its key.
create function waybill_settle_move(m jsonb, t tasks, p_task uuid, p_position bigint, p_revision int,
                                    p_now timestamptz) returns jsonb language plpgsql as $$
declare
  v_new tasks := jsonb_populate_record(t, m->'patch');
  v_later boolean := v_new.state = 'pending' and coalesce(v_new.due_at > p_now, false);
begin
  v_new.position := p_position;
  v_new.revision := p_revision;
  if m ? 'finished' then v_new.finished_at := case when (m->>'finished')::boolean then p_now end; end if;
  if m ? 'failed' then v_new.failed_at := case when (m->>'failed')::boolean then p_now end; end if;
  if m ? 'create' then
    insert into tasks select v_new.*;
  else
    update tasks set (state, priority, due_at, attempt, worker, last_step, error, error_class, started_at, finished_at,
        failed_at, position, revision)
      = (v_new.state, v_new.priority, v_new.due_at, v_new.attempt, v_new.worker, v_new.last_step, v_new.error,
        v_new.error_class, v_new.started_at, v_new.finished_at, v_new.failed_at, v_new.position, v_new.revision)
      where task_id = p_task;
  end if;
  perform waybill_count_failure(t.queue, p_task, m ? 'attemptFailed', v_new.state);
  if not m ? 'moved' then return null; end if;
  if t.key is not null then
    perform waybill_leave_line(p_task, t.queue, t.key, v_new.state in ('pending', 'held'));
    if v_new.state in ('failed', 'errored') then
      insert into key_failures (queue, key, task_id) values (t.queue, t.key, p_task) on conflict do nothing;
    end if;
  end if;
  -- The next of the key has its turn after the task can keep it waiting (it has failed, or is due later), and before the task is
  -- placed anew: one that it was ahead of may come before it now.
  if v_later then perform waybill_offer(p_task, t.queue, t.key, v_new.priority, t.seq, v_new.due_at, p_now); end if;
  if t.key is not null and v_new.state <> 'running' then perform waybill_next_of_key(p_task, t.queue, t.key); end if;
  if v_new.state = 'pending' and not v_later then
    perform waybill_offer(p_task, t.queue, t.key, v_new.priority, t.seq, v_new.due_at, p_now);
  elsif v_new.state in ('prepared', 'held', 'errored') then
    insert into waiting (task_id, queue, gate, due_at, key, priority, seq)
      values (p_task, t.queue, v_new.state, v_new.due_at, t.key, v_new.priority, t.seq);
    if v_new.state = 'held' and t.key is not null then
      perform waybill_take_place(p_task, t.queue, t.key);
    end if;
  end if;
  return null;
end $$;

-- Who has an idempotency key: for the item, or for any item of another request. Null: nobody.
create function waybill_idempotency_holder(p_key text, p_item int, p_fingerprint text) returns text language sql stable as $$
  select k.fingerprint || ' ' || k.stream || ' ' || k.revision || ' ' || k.position || ' ' || k.answer
  from idempotency_keys k where k.key = p_key and (k.item = p_item or k.fingerprint <> p_fingerprint)
  order by k.fingerprint <> p_fingerprint desc limit 1
$$;

-- Takes an idempotency key at a position. Null: taken. Otherwise who has it.
create function waybill_take_key(k jsonb, p_position bigint) returns text language plpgsql as $$
declare
  v_holder text := waybill_idempotency_holder(k->>'key', (k->>'item')::int, k->>'fingerprint');
begin
  if v_holder is not null then return v_holder; end if;
  insert into idempotency_keys (key, item, fingerprint, answer, stream, revision, position)
    values (k->>'key', (k->>'item')::int, k->>'fingerprint', k->>'answer', k->>'stream', (k->>'revision')::int, p_position)
    on conflict do nothing;
  -- Another look where somebody was faster: answers that record nothing take their keys without the log lock.
  return case when not found then waybill_idempotency_holder(k->>'key', (k->>'item')::int, k->>'fingerprint') end;
end $$;

-- The answer to an append at a revision that is not the stream's: the same events stand there already, or others do.
create function waybill_stale(p_item int, p_stream uuid, p_expected int, p_first int[], p_id uuid[], p_actual int)
returns jsonb language sql as $$
  select coalesce((
    select jsonb_build_object('i', p_item, 'kind', 'duplicate', 'position', l.position::text, 'revision', l.revision)
    from events f join events l on l.stream = f.stream
      and l.revision = p_expected + coalesce(p_first[p_item + 1], array_length(p_id, 1) + 1) - p_first[p_item]
    where f.stream = p_stream and f.revision = p_expected + 1 and f.id = p_id[p_first[p_item]]),
    jsonb_build_object('i', p_item, 'kind', 'conflict', 'actual', p_actual))
$$;

create function waybill_append(
  -- items; p_first: the number of its first event; p_check: those whose revision only their events tell
  p_stream uuid[], p_expected int[], p_first int[], p_check int[], p_queue_guard int[],
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
  v_holder text;
  v_slow int[];
  v_queues text[];
  v_keys text[];
  v_bad int[] := '{}';
  v_problem jsonb;
  v_problems jsonb := '[]';
  r record;
begin
  perform pg_advisory_xact_lock(${LOG_LOCK});
  v_now := date_trunc('milliseconds', clock_timestamp());
  select coalesce(max(e.position), 0) into v_head from events e;

  for r in
    select i.item, coalesce(x.revision, -1) as actual
    from unnest(p_check) as i(item)
    left join lateral (
      select e.revision from events e where e.stream = p_stream[i.item] order by e.revision desc limit 1) x on true
    where coalesce(x.revision, -1) <> p_expected[i.item]
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
      v_problems := v_problems || jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'queue-changed', 'holder', null);
      v_bad := v_bad || r.item;
    end loop;
  end if;

  if p_rules is not null then
    for r in select x.* from jsonb_to_recordset(p_rules)
        as x(i int, others jsonb, empty text, unawaited text, key jsonb, last int)
      where x.i <> all (v_bad) loop
      v_problem := null;
      if r.empty is not null and (exists (select from ready where queue = r.empty)
          or exists (select from waiting where queue = r.empty) or exists (select from leases where queue = r.empty)) then
        v_problem := jsonb_build_object('kind', 'refused', 'constraint', 'queue-not-empty', 'holder', null);
      elsif r.others is not null and waybill_others_changed(r.others) then
        v_problem := jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed', 'holder', null);
      elsif r.unawaited is not null and waybill_awaiting(r.unawaited) is not null then
        v_problem := jsonb_build_object('kind', 'refused', 'constraint', 'queue-awaited', 'holder', waybill_awaiting(r.unawaited));
      elsif r.key is not null then
        v_holder := waybill_take_key(r.key, v_head + r.last);
        if v_holder is not null then
          v_problem := jsonb_build_object('kind', 'refused', 'constraint', 'idempotency-key', 'holder', v_holder);
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
          then jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'lease', 'holder', null)
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
    insert into ready (queue, priority, seq, task_id, returned)
      select c_queue[n], c_priority[n], v_head + p_first[c_item[n]], p_stream[c_item[n]], false
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
      v_problems := v_problems || jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'claim-repeated', 'holder', null);
      v_bad := v_bad || r.item;
    end loop;
  end if;

  if cardinality(k_item) > 0 then
    with claimed as (
      update tasks t set state = 'running', worker = r_worker[k_request[n]], attempt = k_attempt[n],
        started_at = r_started[k_request[n]], error = null, error_class = null,
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

  if p_moves is not null then
    for r in select m, (m->>'i')::int as i from jsonb_array_elements(p_moves) as m where (m->>'i')::int <> all (v_bad) loop
      v_problem := waybill_move(r.m, p_stream[r.i], v_head + p_first[r.i], v_head + (r.m->>'last')::int,
        (r.m->>'revision')::int, v_now);
      if v_problem is not null then
        v_problems := v_problems || (v_problem || jsonb_build_object('i', r.i));
        v_bad := v_bad || r.i;
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

  if p_queues is not null then
    perform waybill_write_queue(q->'row', v_head + (q->>'last')::int, (q->>'revision')::int)
      from jsonb_array_elements(p_queues) as q where (q->>'i')::int <> all (v_bad);
  end if;
  if p_rules is not null and cardinality(v_bad) > 0 then
    delete from idempotency_keys k using jsonb_to_recordset(p_rules) as x(i int, key jsonb, last int)
      where k.key = x.key->>'key' and k.item = (x.key->>'item')::int and k.position = v_head + x.last and x.i = any (v_bad);
  end if;
  if p_names is not null then
    insert into stream_names (stream, name)
      select x.stream, x.name from jsonb_to_recordset(p_names) as x(stream uuid, name text) on conflict do nothing;
  end if;
  return query select v_head, v_now, case when v_problems = '[]' then null else v_problems end;
end $$;
`;
