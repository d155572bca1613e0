-- The tasks that holds catch among the first thousand that a queue has ready, at these steps if there are any, so that a hold on many tasks is carried out
-- in few appends.
create function waybill_caught_in_front(p_queue text, p_steps text[]) returns table (task_id uuid, held_by jsonb) language sql as $$
  select * from waybill_caught(
    case when (select q.fair_label from queues q where q.name = p_queue) is not null
      then (select waybill_turn_places(q, p_steps, 1000) from queues q where q.name = p_queue)
      when p_steps is not null then array(select waybill_step_extents(p_queue, p_steps, 1000))
      else array(select r.ctid from ready r where r.queue = p_queue order by r.priority desc, r.from_seq limit 1000) end, 1000)
$$
