-- Counts the turns that these claimed tasks were. The caller is inside the gate.
create function waybill_count_turns(q queues, p_tasks uuid[]) returns void language sql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  with had as materialized (
    select v.value, count(*) as turns, waybill_turn_length(q, v.value) as length, (select a.at from laned a where a.queue = q.name) as now
    from unnest(p_tasks) as u(task_id) join tasks t on t.task_id = u.task_id cross join lateral (select waybill_turn_of(q, t.labels)::text as value) v group by v.value),
  moved as (
    -- Each value is looked up by itself: a join may read all turns of the queue for each of them.
    update turns t set at = greatest(t.at, h.now) + h.turns * h.length
      from had h cross join lateral (select o.ctid as row from turns o where o.queue = q.name and o.value = h.value offset 0) o
      where t.ctid = o.row returning t.at - h.length as last)
  update laned l set at = greatest(l.at, (select max(m.last) from moved m)) where l.queue = q.name
$$
