-- Has the rules of waybill_key_blocker and waybill_next_of_key, which cannot be used here because they read rows that do
-- not exist yet.
update key_slots s set ready = (
    select t.task_id from tasks t
    where t.queue = s.queue and t.key = s.key and t.state = 'pending' and coalesce(t.due_at <= clock_timestamp(), true)
      and (not t.dependent and t.batch is null or waybill_blockers(t) = 0)
      and not exists (
        select from tasks b join queues q on q.name = b.queue
        where b.queue = s.queue and b.key = s.key and b.seq < t.seq and q.policy->>'onKeyFailure' = 'block'
          and (b.state in ('failed', 'undecided') or b.attempt > 0
            and (b.state = 'held' or b.state = 'pending' and (b.due_at > clock_timestamp() or waybill_blockers(b) > 0))))
    order by t.priority desc, case when waybill_blocks_keys(t.queue) then t.seq else coalesce(t.place, t.seq) end limit 1)
  where s.running is null
