-- The first task of a key that blocks those behind it: one that failed or is undecided, or whose retry cannot run yet,
-- whether it waits or somebody holds it. Null if there is none, or if the queue's policy lets later tasks run.
create function waybill_key_blocker(p_queue text, p_key text) returns tasks language sql as $$
  select t.* from queues q cross join lateral (
      select f.task_id from key_failures f where f.queue = p_queue and f.key = p_key
      union all
      select w.task_id from waiting w where w.queue = p_queue and w.key = p_key and w.begun and w.gate <> 'key') b
    join tasks t on t.task_id = b.task_id
  where q.name = p_queue and q.policy->>'onKeyFailure' = 'block' and (t.state not in ('pending', 'held') or t.attempt > 0)
  order by t.seq limit 1
$$
