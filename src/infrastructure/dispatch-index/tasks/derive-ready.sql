-- The pending tasks that are due, may use their key, and have all prerequisites done.
with made_ready as (
  insert into ready (queue, priority, from_seq, to_seq, task_id, step, lane, since, expires_at)
    select t.queue, t.priority, coalesce(t.place, t.seq), coalesce(t.place, t.seq), t.task_id, t.step, :LANE, greatest(coalesce(t.waiting_since, t.enqueued_at), t.due_at), t.expires_at from tasks t
    left join key_slots s on s.queue = t.queue and s.key = t.key
    where t.state = 'pending' and coalesce(t.due_at <= clock_timestamp(), true) and (t.key is null or s.ready = t.task_id)
      and (not t.dependent and t.batch is null or waybill_blockers(t) = 0)
  returning queue, lane, from_seq)
:BEGIN_TURNS
