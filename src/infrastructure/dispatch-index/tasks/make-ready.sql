-- Makes a task ready, and stores the time since when a worker could have taken it.
create function waybill_make_ready(p_task uuid, p_queue text, p_priority int, p_place bigint) returns void language sql as $$
  with made_ready as (
    insert into ready (queue, priority, from_seq, to_seq, task_id, step, lane, since, expires_at)
      select p_queue, p_priority, p_place, p_place, p_task, t.step, :LANE, greatest(coalesce(t.waiting_since, t.enqueued_at), t.due_at), t.expires_at
      from tasks t where t.task_id = p_task
    returning queue, lane, from_seq)
  :BEGIN_TURNS
$$
