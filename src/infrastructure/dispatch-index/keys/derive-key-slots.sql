-- The places of each key that has an open task.
insert into key_slots (queue, key, running, waiting)
  select t.queue, t.key,
    -- A claim whose event is still to be recorded also occupies its task's key.
    (array_agg(t.task_id) filter (where t.state = 'running' or c.id is not null))[1],
    (array_agg(t.task_id order by t.priority desc, coalesce(t.place, t.seq))
      filter (where t.state in ('pending', 'held') and q.policy->>'duplicatePending' not in ('allow', 'gather')))[1]
  from tasks t join queues q on q.name = t.queue
  left join reservations c on c.stream = t.task_id and c.lease is not null
  where t.key is not null and t.state in ('running', 'pending', 'held') group by t.queue, t.key
