-- The consecutive failures of each queue that counts them. extending: the types of events that add to them; ending:
-- those that reset them.
update queues q set (failure_streak, failure_task) = (
    select count(*), (array_agg(e.stream order by e.position desc))[1] from logged_events e
    where e.type = any(:extending) and e.data::jsonb->>'queue' = q.name and e.position > coalesce((
      select max(b.position) from logged_events b
      where b.data::jsonb->>'queue' = q.name and b.type = any(:ending)
        and coalesce(b.data::jsonb->>'verdict', 'succeed') = 'succeed'), 0))
  where q.policy->>'pauseAfterFailures' is not null
