-- The first ready tasks of a lane, at one of p_steps if these are not null, that no append has reserved.
--
-- The queue is compared with the collation of its index: within this function, both texts have that of the lane.
create function waybill_lane_tasks(p_queue text, p_lane text, p_steps text[], p_max bigint) returns table (place tid, priority int, from_seq bigint) language sql stable as $$
  select r.ctid, r.priority, r.from_seq from ready r
  where r.queue = p_queue collate "default" and r.lane = p_lane and (p_steps is null or r.step = any (p_steps)) and (r.expires_at is null or r.expires_at > clock_timestamp())
    and not exists (select from reservations o where o.stream = r.task_id)
  order by r.priority desc, r.from_seq limit p_max
$$
