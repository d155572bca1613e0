-- Finds another task that waits for the key, if the queue's policy allows only one. This includes tasks that lined up under
-- an earlier policy, although none of them has the waiting place. A queue that gathers allows only one to a new task, which the newest may take
-- in: those that come back line up.
create function waybill_key_occupant(p_queue text, p_key text, p_task uuid) returns uuid language sql as $$
  select h.task_id from queues q cross join lateral (
      select s.waiting as task_id from key_slots s where s.queue = p_queue and s.key = p_key
      union all select s.ready from key_slots s where s.queue = p_queue and s.key = p_key
      union all select w.task_id from waiting w
        where w.queue = p_queue and w.key = p_key and w.gate in ('due', 'blocked', 'key', 'held')) h
  where q.name = p_queue and q.policy->>'duplicatePending' <> 'allow' and h.task_id <> p_task
    and (q.policy->>'duplicatePending' <> 'gather' or (select t.task_id from known_tasks t where t.task_id = p_task) is null)
  order by case when q.policy->>'duplicatePending' = 'gather' then (select t.seq from tasks t where t.task_id = h.task_id) end desc limit 1
$$
