-- Counts the turns of tasks of these lanes, each named once for each task that a claim has taken. The caller is inside the gate.
create function waybill_count_turns(q queues, p_lanes text[]) returns void language plpgsql as $$
declare
  v_weights jsonb := waybill_turn_weights(q);
  v_now bigint := (select l.at from laned l where l.queue = q.name);
  v_last bigint;
begin
  with had as materialized (
    select h.value, h.turns, waybill_turn_length(v_weights, q.fair_label, h.value) as length
    from (select waybill_lane_turn(l.lane) as value, sum(l.tasks)::bigint as turns from (select lane, count(*) as tasks from unnest(p_lanes) as u(lane) group by lane) l group by 1) h),
  moved as (
    -- Each value is looked up by itself: a join may read all turns of the queue for each of them.
    update turns t set at = greatest(t.at, v_now) + h.turns * h.length
      from had h cross join lateral (select o.ctid as row from turns o where o.queue = q.name and o.value = h.value offset 0) o
      where t.ctid = o.row returning t.at - h.length as last)
  select max(m.last) into v_last from moved m;
  update laned l set at = v_last where l.queue = q.name and l.at < v_last;
end $$
