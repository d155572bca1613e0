-- Takes up to p_max tasks out of the ready lane, in claim order, and returns each with a new fencing token and its
-- whole history. Takes no more than p_bytes of histories, but at least one task; more tells whether tasks were left for
-- their size. Claims of one queue take turns, so that none overtakes another. Picks nothing from a queue that is not
-- active, or that its policy is about to pause. The caller must claim every picked task in this transaction, or roll it
-- back.
--
-- A task without events, against the rules, is a row without a type, and without an id if it shared its extent.
--
-- Tasks with a single event are returned by segments of the log: tokens and task_ids list the picked ones, whose events
-- begin at first. A segment of which several parts were picked has its data, of both halves, in one of their rows. For other tasks, each event is a row.
--
-- p_steps: only tasks whose next step is one of these; null for all. Tasks at steps that are short of a resource stay. p_offers: only tasks that need nothing else of
-- their worker.
--
-- If one of p_claims already got tasks, nothing is picked: rows without tokens name those claim ids (in data).
--
-- If a hold catches one of the tasks, nothing is picked either: rows without tokens, of the type 'caught', name the tasks
-- near the front that holds catch, and who holds them (in data).
--
-- A floor is the place where the caller's last pick began. The rows before it are deleted, unless a task came back or
-- has a higher priority, so the pick need not walk over the deleted rows. These cannot be cleaned away while another
-- transaction keeps an old snapshot.
--
-- The log lock is taken before the first row lock, and only if tasks became due.
create function waybill_pick(p_queue text, p_max int, p_claims uuid[], p_floor_priority int, p_floor_seq bigint, p_bytes int, p_steps text[], p_offers jsonb)
returns table (tokens text, task_ids text, first bigint, queue_revision int, priority int, "position" bigint, revision int, type text,
               version smallint, recorded_at timestamptz, shared text, data text, private text, trace text, more boolean)
language plpgsql set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan set random_page_cost = 0.1 as $$
#variable_conflict use_column
declare
  v_queue queues;
  v_now timestamptz := clock_timestamp();
  v_places tid[];
  v_locked tid[];
  v_floor bigint;
begin
  perform pg_advisory_xact_lock(:GATE_LOCK);
  perform pg_advisory_xact_lock_shared(:CLAIMS_LOCK);
  return query select null::text, null::text, null::bigint, null::int, null::int, null::bigint, null::int, null::text, null::smallint,
    null::timestamptz, null::text, c.claim_id::text, null::text, null::text, false from claims c where c.claim_id = any (p_claims);
  if found then return; end if;
  select * into v_queue from queues where name = p_queue and not exists (select from system s where s.draining);
  if waybill_withheld(v_queue) is not null then return; end if;
  if v_queue.paced then
    perform waybill_keep_paces(v_queue);
    p_max := least(p_max, waybill_queue_free_starts(v_queue));
    if p_max = 0 then return; end if;
  end if;
  if v_queue.needs is not null then p_steps := waybill_open_steps(v_queue, p_steps); end if;
  -- Asks for the first of its index, and below, instead of for any: a plan from when there was little may go over all rows of the queue for that.
  if (select w.due_at from waiting w where w.queue = p_queue and w.gate = 'due' order by w.due_at limit 1) <= v_now then
    perform pg_advisory_xact_lock(:LOG_LOCK);
    perform waybill_promote(p_queue, v_now, p_max, p_steps);
  end if;
  if v_queue.by_lanes then perform waybill_enter_lanes(v_queue); end if;
  if p_floor_seq is not null and (select r.since from ready r where r.queue = p_queue and r.since is not null order by r.since limit 1) is null
      and not exists (select from ready r where r.queue = p_queue and r.priority > p_floor_priority) then
    v_floor := p_floor_seq;
  end if;
  for v_try in 1 .. 10 loop
    -- As many extents as are needed for p_max tasks.
    -- From the floor by a statement of its own: one that takes either walks over the deleted rows before the floor, and over lower priorities.
    v_places := case
      when v_queue.fair_label is not null then waybill_turn_places(v_queue, p_steps, p_offers, p_max)
      when v_queue.by_lanes then array(select waybill_lane_places(v_queue, p_steps, p_offers, p_max))
      when p_steps is not null then array(select waybill_step_extents(p_queue, p_steps, p_max))
      when v_floor is not null then array(
        select l.place from (
          select r.ctid as place, r.to_seq - r.from_seq + 1 as tasks, sum(r.to_seq - r.from_seq + 1) over (order by r.from_seq) as upto
          from ready r
          where r.queue = p_queue and r.priority = p_floor_priority and r.from_seq >= v_floor
            and (r.expires_at is null or r.expires_at > clock_timestamp())
          order by r.from_seq limit p_max) l
        where l.upto - l.tasks < p_max)
      else array(
        select l.place from (
          select r.ctid as place, r.to_seq - r.from_seq + 1 as tasks,
            sum(r.to_seq - r.from_seq + 1) over (order by r.priority desc, r.from_seq) as upto
          from ready r
          where r.queue = p_queue and (r.expires_at is null or r.expires_at > clock_timestamp())
          order by r.priority desc, r.from_seq limit p_max) l
        where l.upto - l.tasks < p_max) end;
    -- An append may be changing one of them; it never waits for a claim. What it leaves is read again.
    v_locked := array(select r.ctid from ready r where r.ctid = any (v_places) for update);
    continue when cardinality(v_locked) < cardinality(v_places);
    exit when v_floor is null or p_max <= (select sum(r.to_seq - r.from_seq + 1) from ready r where r.ctid = any (v_locked));
    v_floor := null;
  end loop;
  if exists (select from holds h where h.label is not null) and exists (select from waybill_caught(v_locked, p_max)) then
    return query select null::text, c.task_id::text, null::bigint, null::int, null::int, null::bigint, null::int, 'caught', null::smallint,
      null::timestamptz, null::text, c.held_by::text, null::text, null::text, false from waybill_caught_in_front(p_queue, p_steps, v_locked, p_max) c;
    return;
  end if;
  return query
    with places as materialized (
      -- Cast to bigint, because a sum is numeric, which would keep the index of the log from being used.
      select r.ctid as place, r.*, (p_max - sum(r.to_seq - r.from_seq + 1) over (order by r.priority desc, r.from_seq)
        + r.to_seq - r.from_seq + 1)::bigint as room,
        -- It has more than one event. One that returned has another place than its first event.
        r.since is not null and r.task_id is not null
          and not exists (select from tasks t where t.task_id = r.task_id and t.revision = 0 and t.position = r.from_seq) as lived
      from ready r where r.ctid = any (v_locked)),
    in_a_row as materialized (
      select p.*, case when not p.lived and p.task_id is not null
          then p.from_seq - row_number() over (partition by p.priority, p.lived, p.task_id is null order by p.from_seq) end as run
      from places p),
    lined_up as materialized (
      select r.*, r.run is not null and count(*) over (partition by r.priority, r.run) > 1 as shared from in_a_row r),
    -- Tasks with keys have a row each. New ones whose places follow one another are looked up together, like an extent.
    spans as materialized (
      select p.place, null::bigint as run, p.priority, p.from_seq, p.to_seq, p.task_id, p.lived, p.room from lined_up p where not p.shared
      union all
      select null, p.run, p.priority, min(p.from_seq), max(p.to_seq), null, false, max(p.room) from lined_up p where p.shared group by p.priority, p.run),
    -- The part of each span that lies in each segment, and every task with more than one event. A large segment, of few
    -- tasks, counts as a whole, because one of them may make it large.
    found as materialized (
      select p.place, p.run, p.priority, p.from_seq, p.task_id, p.lived, s.at, greatest(p.from_seq, s.at) as first,
        coalesce(least(p.to_seq, p.from_seq + p.room - 1, s.at + s.n - 1) - greatest(p.from_seq, s.at) + 1, case when p.task_id is null then p.to_seq - p.from_seq + 1 else 1 end) as n,
        coalesce(case when s.bytes > 32768 then s.bytes else s.bytes / s.n end, (select sum(octet_length(e.data)) from waybill_history(p.task_id) e), 0) as bytes
      from spans p left join lateral (
        select g.position as at, g.n, octet_length(g.data) + coalesce(octet_length(g.private), 0) as bytes from segments g
        where not p.lived and g.position > p.from_seq - 64 and g.position < p.from_seq + p.room and g.position <= p.to_seq
          and g.position + g.n > p.from_seq) s on true),
    pieces as materialized (
      select * from found f where f.run is null or f.at is not null
      union all
      select p.place, null, p.priority, p.from_seq, p.task_id, false, null, p.from_seq, 1, 0 from lined_up p
        where p.shared and not exists (
          select from found f where f.run = p.run and f.priority = p.priority and p.from_seq between f.first and f.first + f.n - 1 and f.at is not null)),
    summed as materialized (
      select i.*, sum(i.bytes) over (order by i.priority desc, i.from_seq, i.at rows unbounded preceding) as upto from pieces i),
    fitting as materialized (
      select * from summed i where i.upto <= p_bytes or i.upto = i.bytes order by i.priority desc, i.from_seq, i.at),
    taken as (
      select f.place, sum(f.n)::bigint as n from fitting f where f.run is null group by f.place
      union all
      select p.place, 1 from fitting f join lined_up p on p.shared and p.run = f.run and p.priority = f.priority and p.from_seq between f.first and f.first + f.n - 1),
    emptied as (delete from ready r using taken t where r.ctid = t.place and r.to_seq - r.from_seq < t.n returning r.lane),
    turned as materialized (
      select waybill_count_turns(v_queue, array_agg(e.lane)) from emptied e where v_queue.fair_label is not null having count(*) > 0),
    shortened as (update ready r set from_seq = r.from_seq + t.n from taken t where r.ctid = t.place and r.to_seq - r.from_seq >= t.n),
    numbered as materialized (
      select i.*, array(select nextval('lease_tokens') from generate_series(1, i.n)) as tokens,
        (select count(*) from pieces) > (select count(*) from fitting) as more from fitting i where (select count(*) from turned) >= 0)
    select array_to_string(n.tokens, ','), array_to_string(s.streams[n.first - s.position + 1 : n.first - s.position + n.n], ','), n.first,
      v_queue.revision, n.priority, s.position, 0, s.type, s.version, s.recorded_at, s.shared,
      case when n.has_data then s.data end, case when n.has_data then s.private end, waybill_trace_in(s.meta), n.more
    from (select m.*, row_number() over (partition by m.at order by m.from_seq) = 1 as has_data from numbered m) n join segments s on s.position = n.at
  union all
    select n.tokens[1]::text, n.task_id::text, coalesce(e.position, n.from_seq), v_queue.revision, n.priority, e.position, e.revision, e.type, e.version,
      e.recorded_at, null, e.data, null, case when e.revision = 0 then waybill_trace_in(e.meta) end, n.more
    from numbered n left join lateral waybill_history(n.task_id) e on true
    where n.lived
  union all
    select n.tokens[1]::text, n.task_id::text, n.from_seq, v_queue.revision, n.priority, null, null, null, null, null, null, null, null, null, n.more
    from numbered n where n.at is null and not n.lived;
end $$
