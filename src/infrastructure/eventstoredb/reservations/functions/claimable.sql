-- The first p_max ready tasks of a queue that no append has reserved, in claim order, and for which the limits of their lanes leave room. p_steps: only those whose next step
-- is one of these; null for all. p_offers: only tasks that need nothing else of their worker. p_first: only this task; null for any.
create function waybill_claimable(q queues, p_steps text[], p_offers jsonb, p_first uuid, p_max int)
returns table (task_id uuid, priority int, from_seq bigint, place tid) language plpgsql as $$
#variable_conflict use_column
begin
  if q.by_lanes and p_first is null then
    return query select r.task_id, r.priority, r.from_seq, r.ctid from ready r
      where r.ctid = any (case when q.fair_label is null then array(select waybill_lane_places(q, p_steps, p_offers, p_max))
        else waybill_turn_places(q, p_steps, p_offers, p_max) end)
      order by r.priority desc, r.from_seq;
  elsif p_steps is null then
    return query select r.task_id, r.priority, r.from_seq, r.ctid from ready r
      where r.queue = q.name and (p_first is null or r.task_id = p_first)
        and (r.expires_at is null or r.expires_at > clock_timestamp())
        and not exists (select from reservations o where o.stream = r.task_id)
      order by r.priority desc, r.from_seq limit p_max;
  else
    return query select l.* from (select distinct unnest(p_steps) as step) s cross join lateral (
        select r.task_id, r.priority, r.from_seq, r.ctid from ready r
        where r.queue = q.name and r.step = s.step and (p_first is null or r.task_id = p_first)
          and (r.expires_at is null or r.expires_at > clock_timestamp())
          and not exists (select from reservations o where o.stream = r.task_id)
        order by r.priority desc, r.from_seq limit p_max) l
      order by l.priority desc, l.from_seq limit p_max;
  end if;
end $$
