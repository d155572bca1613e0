-- The events of a stream, in order. For a task, follows the chain back from its row, from each event to the one before
-- it.
create function waybill_history(p_stream uuid)
returns table ("position" bigint, revision int, type text, version smallint, id uuid, recorded_at timestamptz, data text, meta text)
language sql stable as $$
  with recursive walk (at, s) as (
    select t.position, (select g from segments g where g.position <= t.position order by g.position desc limit 1)
    from (select coalesce((select t.position from tasks t where t.task_id = p_stream),
      (select a.position from tasks_archive a where a.task_id = p_stream)) as position) t where t.position is not null
    union all
    select b.at, (select g from segments g where g.position <= b.at order by g.position desc limit 1)
    from walk w cross join lateral (select w.at - (w.s).position + 1 as n, cardinality((w.s).prevs) as kept) as i
      cross join lateral (select (w.s).prevs[least(i.n, i.kept)] + greatest(i.n - i.kept, 0) as at) as b where b.at is not null),
  places as (
    select * from walk
    union all
    select g.position, g from segments g where g.category <> 'task' and g.streams[1] = p_stream)
  select p.at, coalesce((s).revisions[least(n, cardinality((s).revisions))], 0), (s).type, (s).version, (s).ids[n], (s).recorded_at,
    waybill_whole((s).shared, line, half), (s).meta
  from places p
  cross join lateral (select (p.at - (p.s).position + 1)::int as n) as i
  cross join lateral (select split_part((p.s).data, E'\n', n) as line, split_part((p.s).private, E'\n', n) as half) as l
  where n <= (s).n order by p.at
$$
