-- The tasks that holds catch among the first p_max at these places, which a claim would take, and among the first thousand that a queue has ready, at these steps if
-- there are any, so that a hold on many tasks is carried out in few appends. What a claim would take may be far behind: in front may be what turns, limits or needs keep.
create function waybill_caught_in_front(p_queue text, p_steps text[], p_places tid[], p_max int) returns table (task_id uuid, held_by jsonb) language sql as $$
  select * from waybill_caught(p_places, p_max)
  union
  select * from waybill_caught(
    case when p_steps is not null then array(select waybill_step_extents(p_queue, p_steps, 1000))
      else array(select r.ctid from ready r where r.queue = p_queue order by r.priority desc, r.from_seq limit 1000) end, 1000)
$$
