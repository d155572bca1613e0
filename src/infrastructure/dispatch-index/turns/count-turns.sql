-- Counts the turns of tasks of these lanes, each named once for each task that a claim has taken. The caller is inside the gate.
--
-- Lanes that begin to wait start at the virtual time of the queue, so it would stand still for as long as new ones come, nobody who has had a turn would have another, and the
-- turns of all that ever came would stay. So it moves on after :LONGEST_ROUND turns: whoever comes from then on starts where the next one of those who had a turn stands.
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
  update laned l set
      at = greatest(l.at, v_last, case when l.turns >= :LONGEST_ROUND then (select min(t.at) from turns t where t.queue collate "C" = q.name and t.at > l.at) end),
      turns = case when l.at < v_last or l.turns >= :LONGEST_ROUND then 0 else l.turns + cardinality(p_lanes) end
    where l.queue = q.name;
end $$
