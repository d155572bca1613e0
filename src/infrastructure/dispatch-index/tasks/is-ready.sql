-- Whether a task's place is in the ready lane.
create function waybill_is_ready(p_queue text, p_priority int, p_place bigint) returns boolean language sql stable as $$
  select coalesce((select r.to_seq >= p_place from ready r where r.queue = p_queue and r.priority = p_priority and r.from_seq <= p_place
    order by r.from_seq desc limit 1), false)
$$
