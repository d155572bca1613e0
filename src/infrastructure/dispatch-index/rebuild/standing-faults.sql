-- The tasks that stand in the index where their rows do not put them. Whether the rows are right says the log. Left out are tasks
-- that wait for a time, because the sweeper moves them a moment later, and those whose claims are still to be recorded.
with pending as (
  select t.task_id, t.queue, t.priority, coalesce(t.place, t.seq) as place, t.key, waybill_blockers(t) as blockers
  from tasks t where t.state = 'pending' and t.due_at is null and not exists (select from reservations r where r.stream = t.task_id)),
faults as (
  select p.task_id, 'is in line although it waits for others' as says from pending p
    where p.blockers > 0 and exists (select from ready r where r.task_id = p.task_id)
  union all
  select p.task_id, 'is not in line although it waits for nothing' from pending p
    where p.blockers = 0 and p.key is null and not exists (
      select from ready r where r.queue = p.queue and r.priority = p.priority and p.place between r.from_seq and r.to_seq)
  union all
  select r.task_id, 'is in line although it is ' || coalesce(t.state, 'unknown') from ready r left join tasks t on t.task_id = r.task_id
    where r.task_id is not null and t.state is distinct from 'pending'
  union all
  select t.task_id, 'is ' || t.state || ' but waits nowhere' from tasks t
    where t.state in ('prepared', 'held', 'undecided') and not exists (select from waiting w where w.task_id = t.task_id)
  union all
  select w.task_id, 'waits although it is ' || coalesce(t.state, 'unknown') from waiting w left join tasks t on t.task_id = w.task_id
    where t.state is null or t.state not in ('prepared', 'held', 'undecided', 'pending')
  union all
  select t.task_id, 'runs without a lease' from tasks t
    where t.state = 'running' and not exists (select from leases l where l.id = t.lease and t.task_id = any (l.tasks)))
select count(*) over () as total, task_id, says from faults order by task_id, says limit :MOST
