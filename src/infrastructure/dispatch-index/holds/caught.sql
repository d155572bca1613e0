-- The tasks at these places of a queue's lane that holds in force catch, each with one of them: of the first p_max tasks,
-- in claim order.
create function waybill_caught(p_places tid[], p_max int) returns table (task_id uuid, held_by jsonb)
language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
    with places as materialized (
      select r.*, (p_max - sum(r.to_seq - r.from_seq + 1) over (order by r.priority desc, r.from_seq)
        + r.to_seq - r.from_seq + 1)::bigint as room
      from ready r where r.ctid = any (p_places)),
    named as materialized (
      select p.task_id from places p where p.task_id is not null and p.room > 0
      union all
      select s.streams[a.seq - s.position + 1] from places p
        join segments s on s.position > p.from_seq - 64 and s.position < p.from_seq + p.room and s.position <= p.to_seq
          and s.position + s.n > p.from_seq
        cross join lateral generate_series(greatest(p.from_seq, s.position), least(p.to_seq, p.from_seq + p.room - 1, s.position + s.n - 1)) as a(seq)
      where p.task_id is null)
    -- One look-up per task and label: joins would be planned for many, and walk over all tasks or all holds.
    select n.task_id, c.held_by from named n cross join lateral (
      select jsonb_strip_nulls(jsonb_build_object('by', h.placed_by, 'hold', h.name, 'reason', h.reason)) as held_by
      from tasks t join queues q on q.name = t.queue cross join lateral jsonb_each_text(t.labels) as l
        cross join lateral (select h.* from holds h where h.label = l.key and h.value = l.value and t.labels @> h.labels
          order by h.name limit 1) h
      where t.task_id = n.task_id and (q.policy->>'holdsCatch' is distinct from 'first-claim' or t.attempt = 0 and not t.entered)
      order by h.name limit 1) c;
end $$
