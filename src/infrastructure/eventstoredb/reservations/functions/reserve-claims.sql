-- Picks ready tasks in claim order for the claims' places, and takes a lease for all tasks of a claim. Picks nothing from a
-- queue that is not active, or is about to change. A row without a token names a claim id that already got tasks, or a task
-- that a hold catches, and who holds it (in history). Nothing is picked then.
-- p_first: the only task to pick, out of turn; null for any. p_ids: all claim ids, including those of claims without a
-- place.
-- p_steps: only tasks whose next step is one of these; null for all. Tasks at steps that are short of a resource stay. p_offers: only tasks that need nothing else of
-- their worker.
-- history: what is recorded of the task, if it is at hand.
-- p_bytes: the most bytes of histories, except for that of the first task; a history that is not at hand counts as 64 KiB.
-- more: whether tasks were left for their size.
create function waybill_reserve_claims(p_queue text, p_claims jsonb, p_ttl_ms int, p_first uuid, p_ids uuid[], p_bytes int, p_steps text[], p_offers jsonb)
returns table (place int, task_id uuid, token bigint, queue_revision int, revision int, claim_id uuid, at timestamptz, history text, more boolean)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
#variable_conflict use_column
declare
  q queues;
  v_count int := jsonb_array_length(p_claims);
  v_places tid[];
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  return query select null::int, null::uuid, null::bigint, null::int, null::int, c.claim_id, null::timestamptz, null::text, false from claims c
    where c.claim_id = any (p_ids);
  if found then return; end if;
  select * into q from queues where name = p_queue and not exists (select from system s where s.draining);
  if waybill_withheld(q) is not null or exists (select from reservations where scope = p_queue and changes_scope) then return; end if;
  if q.paced then
    perform waybill_keep_paces(q);
    v_count := least(v_count, waybill_queue_free_starts(q));
    if v_count = 0 or waybill_paced_until(q, (select t.labels from tasks t where t.task_id = p_first)) <> '[]' and p_first is not null then return; end if;
  end if;
  if q.needs is not null then p_steps := waybill_open_steps(q, p_steps); end if;
  perform waybill_promote(p_queue, clock_timestamp(), v_count, p_steps);
  if q.by_lanes then perform waybill_enter_lanes(q); end if;
  if exists (select from holds h where h.label is not null) then
    v_places := array(select c.place from waybill_claimable(q, p_steps, p_offers, p_first, v_count) c);
    return query select null::int, c.task_id, null::bigint, null::int, null::int, null::uuid, null::timestamptz, c.held_by::text, false
      from waybill_caught_in_front(p_queue, p_steps, v_places, v_count) c where exists (select from waybill_caught(v_places, v_count));
    if found then return; end if;
  end if;
  return query
    with candidates as materialized (
      select r.task_id, row_number() over (order by r.priority desc, r.from_seq)::int as place, r.place as row,
        coalesce((select octet_length(h.events) from open_histories h where h.task_id = r.task_id), 65536) as bytes
      from waybill_claimable(q, p_steps, p_offers, p_first, v_count) r),
    picked as materialized (
      select * from (select c.*, sum(c.bytes) over (order by c.place) as upto from candidates c) c where c.upto <= p_bytes or c.place = 1),
    turned as materialized (
      select waybill_count_turns(q, array_agg(r.lane)) from picked p join ready r on r.ctid = p.row where q.fair_label is not null having count(*) > 0),
    numbered as materialized (
      select p.place, p.task_id, nextval('lease_tokens') as token, coalesce(t.revision, -1) as revision, t.key, c.*
      from picked p left join tasks t on t.task_id = p.task_id
      cross join lateral jsonb_to_record(p_claims->(p.place - 1))
        as c(id uuid, "claimId" uuid, worker text, server text, holder text, secret uuid, "leaseMs" int)),
    keyed as materialized (
      select waybill_occupy_keys(k.tasks) from (select array_agg(n.task_id) as tasks from numbered n where n.key is not null) k where k.tasks is not null),
    granted as materialized (
      select nextval('lease_tokens') as lease, array_agg(n.task_id order by n.place) as tasks, min(n.token) as first_token, max(n.token) as last_token,
        n."claimId", n.worker, n.server, n.holder, n.secret, n."leaseMs"
      from numbered n group by n."claimId", n.worker, n.server, n.holder, n.secret, n."leaseMs"),
    leased as (
      insert into leases (id, tasks, open, queue, worker, server, holder, secret, claim_id, lease_ms, deadline)
        select g.lease, g.tasks, cardinality(g.tasks), p_queue, g.worker, g.server, g.holder, g.secret, g."claimId", g."leaseMs",
          clock_timestamp() + g."leaseMs" * interval '1 millisecond'
        from granted g where (select count(*) from keyed) + (select count(*) from turned) >= 0),
    claimed as (
      insert into claims (claim_id, queue, worker, first_token, last_token)
        select g."claimId", p_queue, g.worker, g.first_token, g.last_token from granted g),
    reserved as (
      insert into reservations (stream, name, id, expected, scope, changes_scope, lease, token, deadline)
        select n.task_id, 'task-' || n.task_id, n.id, n.revision, p_queue, false, g.lease, n.token, clock_timestamp() + p_ttl_ms * interval '1 millisecond'
        from numbered n join granted g on g."claimId" = n."claimId")
    select n.place, n.task_id, n.token, q.revision, n.revision, null::uuid, date_trunc('milliseconds', clock_timestamp()),
      (select h.events from open_histories h where h.task_id = n.task_id and h.revision = n.revision),
      (select count(*) from candidates) > (select count(*) from picked)
    from numbered n order by n.place;
end $$
