-- What was open in which state, at the position up to which the index has the log, as one statement sees it. Takes none if the rows
-- do not tell: while a transaction is stored in parts, while events of a task could not be applied, and while the counts
-- are far behind. Returns nothing then, and if there is such a snapshot already.
with here as materialized (
  select h.position, c.position as counted_at
  from (select (:POSITION) as position) h join projection_checkpoints c on c.name = 'queue-stats' and c.slot = 'live'
  where h.position > 0 and h.position - c.position <= :mostBehind::bigint and (:role::text is null or waybill_leads(:role, :epoch))
    and not exists (select from reservations where transaction is not null) and not exists (select from quarantined where parked)
), runs as (
  select queue, string_agg(int8send(first) || int4send((last - first)::int), '' order by first) as runs
  from (
    select queue, min(from_seq) as first, max(to_seq)::int8 as last
    from (select queue, from_seq, to_seq, sum(to_seq - from_seq + 1) over (partition by queue order by from_seq) - to_seq as island
          from ready where task_id is null) r
    group by queue, island) i
  group by queue
), open as (
  select queue, case when gate in ('prepared', 'held', 'undecided') then gate else 'pending' end as state, task_id from waiting
  union all select queue, 'pending', task_id from ready where task_id is not null
  -- In a claim that is not applied yet, or aside without having been in the lane.
  union all select t.queue, 'pending', t.task_id
    from (select stream as id from reservations where lease is not null union select task_id from quarantined) a join tasks t on t.task_id = a.id
    where t.state = 'pending' and not exists (select from waiting w where w.task_id = t.task_id)
      and not waybill_is_ready(t.queue, t.priority, coalesce(t.place, t.seq))
  union all select t.queue, 'running', t.task_id
    from leases l cross join lateral unnest(l.tasks) as u(task_id) cross join lateral (select * from tasks k where k.task_id = u.task_id offset 0) t
    where t.lease = l.id and t.state = 'running'
  union all select queue, 'failed', task_id from tasks where failed_at is not null and state = 'failed'
  union all select queue, 'failed', task_id from tasks_archive where failed_at is not null and state = 'failed'
), ids as (
  -- In no order: sorting takes more than all the rest.
  select queue, state, string_agg(uuid_send(task_id), '') as ids from open group by queue, state
), sets as materialized (
  select coalesce(i.queue, r.queue) as queue, coalesce(i.state, 'pending') as state, r.runs, i.ids
  from ids i full join runs r on r.queue = i.queue and i.state = 'pending'
), counts as materialized (
  select coalesce(jsonb_object_agg(queue, jsonb_strip_nulls(jsonb_build_object(:COUNTS))), '{}') as counts from queue_stats
), models as materialized (
  :MODELS
), taken as (
  insert into snapshots (position, counted_at, counts, bytes)
    select h.position, h.counted_at, c.counts,
      pg_column_size(c.counts) + (select sum(pg_column_size(rows)) from models) + coalesce((select sum(128 + coalesce(octet_length(runs), 0) + coalesce(octet_length(ids), 0)) from sets), 0)
    from here h cross join counts c
    on conflict do nothing returning position, bytes
), stored as (
  insert into snapshot_tasks (position, queue, state, runs, ids) select t.position, s.queue, s.state, s.runs, s.ids from taken t cross join sets s
), kept as (
  insert into model_snapshots (model, version, position, rows, bytes)
    select c.name, c.version, c.position, m.rows, t.bytes
    from taken t cross join models m join projection_checkpoints c on c.name = m.model and c.version = m.version and c.slot = 'live'
    on conflict do nothing
)
select position, bytes from taken
