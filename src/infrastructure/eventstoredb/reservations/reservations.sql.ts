import { LOG_LOCK } from '../../postgres-event-store/append.sql.js';

/**
 * Reservations: what an append takes before its event is stored elsewhere. All of it happens under the log lock, like the
 * application of the events, so that each looks at a state that nobody changes meanwhile.
 */
export const RESERVATION_FUNCTIONS = `
-- The key whose waiting place an append takes; null where it takes none.
create function waybill_waits_for(m jsonb) returns text language sql stable as $$
  select case when not m ? 'waits' then null when m ? 'created' then m->>'key'
    else (select t.key from tasks t where t.task_id = (m->>'stream')::uuid) end
$$;

-- Whether something under way takes the same as an append, and decides by how it ends. p_own: the reservation, or the
-- transaction, that the append belongs to. Its own place is lost, too, when it is overdue: then it is the cleaner's.
create function waybill_under_way(m jsonb, p_key text, p_own uuid) returns boolean language plpgsql stable as $$
declare
  v_queue text := m->>'queue';
  k jsonb := m->'idempotency';
begin
  if exists (select from reservations r where r.stream = (m->>'stream')::uuid
               and (coalesce(r.transaction, r.id) <> p_own or r.deadline < clock_timestamp()))
    or exists (select from reservations r where r.queue = v_queue and r.is_queue and coalesce(r.transaction, r.id) <> p_own) then
    return true;
  end if;
  if m ? 'reference' and exists (
      select from reservations r join queues q on q.name = r.queue
      where r.queue = v_queue and r.reference = m->>'reference' and coalesce(r.transaction, r.id) <> p_own
        and q.policy->>'uniqueReference' in ('open', 'always')) then
    return true;
  end if;
  if p_key is not null and exists (
      select from reservations r join queues q on q.name = r.queue
      where r.queue = v_queue and r.key = p_key and coalesce(r.transaction, r.id) <> p_own
        and q.policy->>'duplicatePending' <> 'allow') then
    return true;
  end if;
  return k is not null and waybill_key_under_way(k, p_own);
end $$;

-- Why a task's append may not be made; null where it may.
create function waybill_task_problem(m jsonb, p_key text) returns jsonb language plpgsql as $$
declare
  v_stream uuid := (m->>'stream')::uuid;
  v_queue text := m->>'queue';
  v_lease jsonb := m->'lease';
  v_holder text;
begin
  if v_lease is not null then
    perform 1 from leases l where l.token = (v_lease->>'token')::bigint
      and case when v_lease ? 'expired' then l.deadline < clock_timestamp()
          else l.secret is null or l.secret = (v_lease->>'secret')::uuid end for update;
    if not found then return jsonb_build_object('kind', 'refused', 'constraint', 'lease'); end if;
  end if;
  if m ? 'reference' then
    select o.task_id into v_holder from tasks o join queues q on q.name = o.queue
      where o.queue = v_queue and o.reference = m->>'reference' and o.task_id <> v_stream
        and (q.policy->>'uniqueReference' = 'always'
          or q.policy->>'uniqueReference' = 'open' and o.state not in ('succeeded', 'aborted', 'superseded', 'deleted'))
      limit 1;
    if found then return jsonb_build_object('kind', 'refused', 'constraint', 'reference', 'taskId', v_holder); end if;
  end if;
  v_holder := case when p_key is not null then waybill_key_holder(v_queue, p_key, v_stream) end;
  if v_holder is not null then
    return jsonb_build_object('kind', 'refused', 'constraint', 'key-waiting', 'taskId', v_holder);
  end if;
  return null;
end $$;

-- The same for what any append may be guarded by.
create function waybill_guard_problem(m jsonb) returns jsonb language plpgsql as $$
declare
  k jsonb := m->'idempotency';
  v_recorded jsonb;
begin
  if m ? 'guard' and not exists (
      select from queues where name = m->'guard'->>'name' and revision = (m->'guard'->>'revision')::int) then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed');
  end if;
  if m ? 'queueRevisions' and waybill_others_changed(m->'queueRevisions') then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed');
  end if;
  v_recorded := case when k is not null then waybill_recorded_answer(k->>'key', (k->>'item')::int, k->>'fingerprint') end;
  if v_recorded is not null then
    return jsonb_build_object('kind', 'refused', 'constraint', 'idempotency-key', 'recorded', v_recorded);
  end if;
  return null;
end $$;

-- p_transaction: what the append is part of, or null. Its other parts in the same stream have the reservation in common.
create function waybill_insert_reservation(m jsonb, p_key text, p_ttl_ms int, p_transaction uuid) returns void language sql as $$
  insert into reservations (stream, name, id, expected, queue, is_queue, key, reference, idempotency, deadline, transaction)
    values ((m->>'stream')::uuid, m->>'name', (m->>'id')::uuid, (m->>'expected')::int, m->>'queue', (m->>'isQueue')::boolean,
      p_key, m->>'reference', m->'idempotency',
      clock_timestamp() + p_ttl_ms * interval '1 millisecond', p_transaction)
    on conflict (stream) do update set deadline = excluded.deadline, key = coalesce(reservations.key, excluded.key),
      idempotency = coalesce(reservations.idempotency, excluded.idempotency)
$$;

-- A queue's change waits for the appends that were decided by the queue as it was, and lets no new ones in meanwhile.
create function waybill_reserve_queue(m jsonb, p_ttl_ms int) returns jsonb language plpgsql as $$
declare
  v_id uuid := (m->>'id')::uuid;
  v_problem jsonb;
begin
  if (m ? 'queueRevisions' or m ? 'unawaited') and exists (select from reservations where is_queue and id <> v_id) then
    return jsonb_build_object('kind', 'busy');
  end if;
  perform waybill_insert_reservation(m, null, p_ttl_ms, null);
  if exists (select from reservations where queue = m->>'queue' and not is_queue) then
    return jsonb_build_object('kind', 'busy');
  end if;
  v_problem := coalesce(waybill_guard_problem(m), waybill_queue_problem(m));
  if v_problem is not null then delete from reservations where id = v_id; end if;
  return v_problem;
end $$;

create function waybill_reserve_task(m jsonb, p_key text, p_ttl_ms int, p_claimed uuid[]) returns jsonb language plpgsql as $$
declare
  v_id uuid := (m->>'id')::uuid;
  v_claim jsonb := m->'claim';
  v_problem jsonb := coalesce(waybill_guard_problem(m), waybill_task_problem(m, p_key));
begin
  if v_problem is not null then return v_problem; end if;
  if v_claim is not null then
    if (v_claim->>'claimId')::uuid = any (p_claimed) then
      return jsonb_build_object('kind', 'refused', 'constraint', 'claim-repeated');
    end if;
    perform waybill_reserve_claim(v_claim, (m->>'stream')::uuid, v_id);
  end if;
  if m->'lease' ? 'expired' then
    update leases set expiring = v_id where token = (m->'lease'->>'token')::bigint;
  end if;
  perform waybill_insert_reservation(m, p_key, p_ttl_ms, null);
  return null;
end $$;

-- A claim's lease stands before its event does, its claim id is taken, and its task has the key: whatever else is applied meanwhile finds
-- the key busy.
create function waybill_reserve_claim(c jsonb, p_task uuid, p_reservation uuid) returns void language plpgsql as $$
declare
  v_token bigint := (c->>'token')::bigint;
begin
  perform waybill_occupy_key(t.task_id, t.queue, t.key) from tasks t where t.task_id = p_task and t.key is not null;
  insert into leases (token, task_id, queue, worker, server, secret, claim_id, lease_ms, deadline, reservation)
    values (v_token, p_task, c->>'queue', c->>'worker', c->>'server', (c->>'secret')::uuid, (c->>'claimId')::uuid,
      (c->>'leaseMs')::int, clock_timestamp() + (c->>'leaseMs')::int * interval '1 millisecond', p_reservation)
    on conflict (token) do nothing;
  insert into claims as k (claim_id, queue, worker, first_token, last_token)
    values ((c->>'claimId')::uuid, c->>'queue', c->>'worker', v_token, v_token)
    on conflict (claim_id) do update set first_token = least(k.first_token, v_token), last_token = greatest(k.last_token, v_token);
end $$;

-- Takes what the appends need, in their order; answers the problems of those that got nothing, and when that was.
create function waybill_reserve(p_items jsonb, p_ttl_ms int) returns table (at timestamptz, problems jsonb) language plpgsql as $$
declare
  v_claimed uuid[];
  v_problem jsonb;
  v_problems jsonb := '[]';
  v_key text;
  m jsonb;
begin
  perform pg_advisory_xact_lock(${LOG_LOCK});
  v_claimed := array(select c.claim_id from claims c where c.claim_id in (
    select (i->'claim'->>'claimId')::uuid from jsonb_array_elements(p_items) as i));
  for m in select value from jsonb_array_elements(p_items) loop
    v_key := waybill_waits_for(m);
    v_problem := case
      when waybill_under_way(m, v_key, (m->>'id')::uuid) then jsonb_build_object('kind', 'busy')
      when (m->>'isQueue')::boolean then waybill_reserve_queue(m, p_ttl_ms)
      else waybill_reserve_task(m, v_key, p_ttl_ms, v_claimed) end;
    if v_problem is not null then v_problems := v_problems || (v_problem || jsonb_build_object('i', m->'i')); end if;
  end loop;
  return query select date_trunc('milliseconds', clock_timestamp()), v_problems;
end $$;

-- Picks ready tasks in claim order and takes leases on them, one for each of the claims' places. Nothing is picked from a
-- queue that is not active, or is about to change. A row without a token names a claim id that was granted tasks before.
-- p_first: the only task to be picked, out of turn; null for any. p_ids: all claim ids, also of claims that have no place.
create function waybill_reserve_claims(p_queue text, p_claims jsonb, p_ttl_ms int, p_first uuid, p_ids uuid[])
returns table (place int, task_id uuid, token bigint, queue_revision int, revision int, claim_id uuid, at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  q queues;
  v_count int := jsonb_array_length(p_claims);
begin
  perform pg_advisory_xact_lock(${LOG_LOCK});
  return query select null::int, null::uuid, null::bigint, null::int, null::int, c.claim_id, null::timestamptz from claims c
    where c.claim_id = any (p_ids);
  if found then return; end if;
  select * into q from queues where name = p_queue;
  if waybill_withheld(q) is not null or exists (select from reservations where queue = p_queue and is_queue) then return; end if;
  perform waybill_promote(p_queue, clock_timestamp(), v_count);
  return query
    with picked as materialized (
      select r.task_id, row_number() over (order by r.priority desc, r.seq)::int as place from ready r
      where r.queue = p_queue and (p_first is null or r.task_id = p_first)
        and not exists (select from reservations o where o.stream = r.task_id)
      order by r.priority desc, r.seq limit v_count),
    numbered as materialized (
      select p.place, p.task_id, nextval('lease_tokens') as token, t.revision, p_claims->(p.place - 1) as c
      from picked p join tasks t on t.task_id = p.task_id),
    taken as materialized (
      select n.*, waybill_reserve_claim(n.c || jsonb_build_object('token', n.token, 'queue', p_queue), n.task_id, (n.c->>'id')::uuid),
        waybill_insert_reservation(n.c || jsonb_build_object('stream', n.task_id, 'name', 'task-' || n.task_id,
          'expected', n.revision, 'queue', p_queue, 'isQueue', false), null, p_ttl_ms, null)
      from numbered n)
    select k.place, k.task_id, k.token, q.revision, k.revision, null::uuid,
      date_trunc('milliseconds', clock_timestamp()) from taken k order by k.place;
end $$;

-- Gives back what was taken for appends and transactions that are certain never to be stored. p_overdue: by the cleaner. What is
-- overdue is its alone, who may be about to put a fence into the stream that nobody else must have by then.
create function waybill_release(p_ids uuid[], p_overdue boolean) returns void language plpgsql as $$
declare
  v_ids uuid[];
  v_tasks uuid[];
begin
  perform pg_advisory_xact_lock(${LOG_LOCK});
  with ended as (
    delete from reservations where (id = any (p_ids) or transaction = any (p_ids)) and (p_overdue or deadline >= clock_timestamp())
    returning id)
  select array_agg(id) into v_ids from ended;
  delete from claims c where c.claim_id in (select claim_id from leases where reservation = any (v_ids))
    and not exists (select from leases l where l.claim_id = c.claim_id and (l.reservation is null or l.reservation <> all (v_ids)));
  with unclaimed as (delete from leases where reservation = any (v_ids) returning task_id)
  select array_agg(task_id) into v_tasks from unclaimed;
  perform waybill_next_of_key(t.task_id, t.queue, t.key) from tasks t where t.task_id = any (v_tasks) and t.key is not null;
  update leases set expiring = null where expiring = any (v_ids);
end $$;

-- A claim that was recorded. Its lease stands already, and its task has the key, unless the log is followed from its beginning.
create function waybill_apply_claim(c jsonb, p_task uuid, p_position bigint, p_revision int) returns void language plpgsql as $$
declare
  t tasks;
  v_token bigint := (c->>'token')::bigint;
begin
  update tasks set state = 'running', worker = c->>'worker', attempt = (c->>'attempt')::int,
      started_at = (c->>'claimedAt')::timestamptz, waiting_since = null, error = null, error_class = null, position = p_position, revision = p_revision
    where task_id = p_task returning * into t;
  perform waybill_occupy_key(p_task, t.queue, t.key) where t.key is not null;
  delete from ready where queue = t.queue and priority = t.priority and seq = t.seq;
  delete from waiting where task_id = p_task;
  update key_slots set waiting = nullif(waiting, p_task) where queue = t.queue and key = t.key;
  insert into leases (token, task_id, queue, worker, server, claim_id, lease_ms, deadline)
    values (v_token, p_task, t.queue, c->>'worker', c->>'server', (c->>'claimId')::uuid, (c->>'leaseMs')::int,
      clock_timestamp() + (c->>'leaseMs')::int * interval '1 millisecond')
    on conflict (token) do nothing;
  if found then
    perform setval('lease_tokens', greatest((select last_value from lease_tokens), v_token));
  end if;
end $$;

-- Whether the index has an append already; asked for the parts of transactions only, of which it may meet one twice.
create function waybill_has_applied(c jsonb) returns boolean language sql stable as $$
  select case when c ? 'row' then exists (select from queues where name = c->'row'->>'name' and revision >= (c->>'revision')::int)
    else exists (select from tasks where task_id = (c->>'task')::uuid and revision >= (c->>'revision')::int) end
$$;

-- Applies what the log says, in its order, and ends the reservations of what was applied. The only writer of the index and
-- of the rows in this mode. An event that the index cannot take is an error: the follower stops there.
create function waybill_apply(p_changes jsonb) returns void language plpgsql as $$
declare
  c jsonb;
  r reservations;
  v_problem jsonb;
begin
  perform pg_advisory_xact_lock(${LOG_LOCK});
  for c in select value from jsonb_array_elements(p_changes) loop
    continue when c ? 'transaction' and waybill_has_applied(c);
    delete from reservations where id = (c->>'id')::uuid returning * into r;
    if found and r.idempotency is not null then
      perform waybill_take_key(r.idempotency, coalesce(c->>'whole', c->>'position')::bigint);
    end if;
    update leases set reservation = null where reservation = (c->>'id')::uuid;
    if c ? 'claim' then
      perform waybill_apply_claim(c->'claim', (c->>'task')::uuid, (c->>'position')::bigint, (c->>'revision')::int);
    elsif c ? 'move' then
      v_problem := waybill_move(c->'move', (c->>'task')::uuid, (c->>'seq')::bigint, (c->>'position')::bigint,
        (c->>'revision')::int, (c->>'at')::timestamptz);
      if v_problem is not null then
        raise exception using errcode = 'WB002', message = 'the dispatch index refuses it: ' || v_problem::text;
      end if;
    elsif c->'row' ? 'status' or exists (select from queues where name = c->'row'->>'name') then
      perform waybill_write_queue(c->'row', (c->>'position')::bigint, (c->>'revision')::int);
    end if;
    -- The streams that a transaction only looked at have no event that ends their reservations.
    delete from reservations where transaction = (c->>'ends')::uuid;
  end loop;
end $$;
`;
