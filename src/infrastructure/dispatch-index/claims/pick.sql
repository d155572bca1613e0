-- Takes up to p_max tasks out of the ready lane, in claim order; other claimers skip them meanwhile. Answers each with a new fencing
-- token and its whole history. Tasks of which nothing is recorded but that they were enqueued come by segments of the log: tokens and
-- seqs name those that are picked, in claim order. Of others, each event is a row. Nothing is picked from a queue that is not active, or
-- that its policy is about to pause. The caller claims every one of them in this transaction, or rolls it back.
--
-- Where one of p_claims was given tasks before, nothing is picked: rows without tokens name those claim ids (in data).
--
-- A floor says where the caller's last pick began: rows before it are gone, unless they came back or rank higher, so that the
-- deleted rows there need not be walked over. While another transaction keeps an old snapshot, they cannot be cleaned away.
--
-- The log lock is taken before the first row lock, and only where tasks became due.
create function waybill_pick(p_queue text, p_max int, p_claims uuid[], p_floor_priority int, p_floor_seq bigint)
returns table (tokens text, seqs text, task_ids text, queue_revision int, priority int, "position" bigint, revision int, type text,
               version smallint, recorded_at timestamptz, shared text, data text)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
#variable_conflict use_column
declare
  q queues;
  v_now timestamptz := clock_timestamp();
  v_places tid[];
begin
  perform pg_advisory_xact_lock_shared(:CLAIMS_LOCK);
  return query select null::text, null::text, null::text, null::int, null::int, null::bigint, null::int, null::text, null::smallint,
    null::timestamptz, null::text, c.claim_id::text from claims c where c.claim_id = any (p_claims);
  if found then return; end if;
  select * into q from queues where name = p_queue;
  if waybill_withheld(q) is not null then return; end if;
  if exists (select from waiting w where w.queue = p_queue and w.gate = 'due' and w.due_at <= v_now) then
    perform pg_advisory_xact_lock(:LOG_LOCK);
    perform waybill_promote(p_queue, v_now, p_max);
  end if;
  if p_floor_seq is not null and not exists (select from ready r where r.queue = p_queue and r.since is not null)
      and not exists (select from ready r where r.queue = p_queue and r.priority > p_floor_priority) then
    select array_agg(f.place) into v_places from (
      select r.ctid as place from ready r where r.queue = p_queue and r.priority = p_floor_priority and r.seq >= p_floor_seq
      order by r.seq limit p_max for update skip locked) f;
  end if;
  if v_places is null or cardinality(v_places) < p_max then
    select array_agg(f.place) into v_places from (
      select r.ctid as place from ready r where r.queue = p_queue
      order by r.priority desc, r.seq limit p_max for update skip locked) f;
  end if;
  return query
    with picked as materialized (delete from ready r where r.ctid = any (v_places) returning r.task_id, r.priority, r.seq, r.since),
    numbered as materialized (
      select p.*, nextval('lease_tokens') as token from (select * from picked order by priority desc, seq) p),
    segmented as materialized (
      select string_agg(n.token::text, ',' order by n.token) as tokens, string_agg(n.seq::text, ',' order by n.token) as seqs,
        string_agg(n.task_id::text, ',' order by n.token) as task_ids, max(n.priority) as priority, n.at
      from (
        select *, (select s.position from segments s where s.position <= i.seq order by s.position desc limit 1) as at
        from numbered i where i.since is null) n
      group by n.at)
    select g.tokens, g.seqs, g.task_ids, q.revision, g.priority, s.position, 0, s.type, s.version, s.recorded_at, s.shared, s.data
    from segmented g join segments s on s.position = g.at
  union all
    select n.token::text, e.position::text, n.task_id::text, q.revision, n.priority, e.position, e.revision, e.type, e.version, e.recorded_at,
      null, e.data
    from numbered n cross join lateral waybill_history(n.task_id) e
    where n.since is not null;
end $$
