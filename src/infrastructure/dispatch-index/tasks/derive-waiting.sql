-- The open tasks that are not ready, each with what it waits for.
insert into waiting (task_id, queue, gate, due_at, key, priority, seq, blockers)
  select t.task_id, t.queue,
    case when t.state <> 'pending' then t.state when t.dependent and waybill_blockers(t.task_id) > 0 then 'blocked' when t.due_at > clock_timestamp() then 'due' else 'key' end,
    t.due_at, t.key, t.priority, t.seq, case when t.dependent then waybill_blockers(t.task_id) else 0 end
  from tasks t
  where t.state in ('prepared', 'held', 'undecided')
    or t.state = 'pending' and not exists (
      select from ready r where r.queue = t.queue and r.priority = t.priority and r.from_seq = t.seq)
