-- The open tasks that are not ready, each with what it waits for.
insert into waiting (task_id, queue, gate, due_at, key, priority, place, begun, blockers, staged)
  select t.task_id, t.queue,
    case when t.state <> 'pending' then t.state when waybill_blockers(t) > 0 then 'blocked' when t.due_at > clock_timestamp() then 'due' else 'key' end,
    t.due_at, t.key, t.priority, coalesce(t.place, t.seq), waybill_has_begun(t), waybill_blockers(t), waybill_staged_in(t.batch)
  from tasks t
  where t.state in ('prepared', 'held', 'undecided')
    or t.state = 'pending' and not exists (
      select from ready r where r.queue = t.queue and r.priority = t.priority and r.from_seq = coalesce(t.place, t.seq))
