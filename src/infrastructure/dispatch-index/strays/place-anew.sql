-- Gives an open task that has no place in line the one that follows from its row. Returns the queues that now may have tasks to give out.
create function waybill_place_anew(t tasks) returns text[] language plpgsql as $$
begin
  -- It may be in the lane at a place that is not its own.
  delete from ready where queue = t.queue and task_id = t.task_id;
  insert into waiting (task_id, queue, gate, due_at, key, priority, place, begun, blockers, staged)
    values (t.task_id, t.queue, case t.state when 'pending' then 'quarantined' else t.state end, t.due_at, t.key, t.priority, coalesce(t.place, t.seq),
      waybill_has_begun(t), case t.state when 'pending' then 0 else waybill_blockers(t) end, case when t.state <> 'pending' then waybill_staged_in(t.batch) end);
  if t.state = 'pending' then return waybill_take_back(array[t.task_id]); end if;
  if t.state = 'held' and t.key is not null then perform waybill_take_place(t.task_id, t.queue, t.key); end if;
  if t.key is not null then perform waybill_key_requeue_blocked(t.queue, t.key); end if;
  return '{}';
end $$
