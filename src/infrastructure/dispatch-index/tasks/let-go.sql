-- Places tasks that nothing blocks any more. Returns the queues that now have tasks to give out. Tasks without a key that
-- have only their first event share extents, as if they were new.
create function waybill_let_go(p_tasks uuid[], p_now timestamptz) returns text[] language plpgsql as $$
declare
  v_queues text[] := array(select distinct w.queue from waiting w where w.task_id = any (p_tasks));
  r waiting;
begin
  with plain as (
    delete from waiting w where w.task_id = any (p_tasks) and w.key is null and coalesce(w.due_at <= p_now, true)
      and (select t.revision from tasks t where t.task_id = w.task_id) = 0
    returning w.*, (select t.step from tasks t where t.task_id = w.task_id) as step),
  runs as (
    select p.*, p.seq - row_number() over (partition by p.queue, p.priority, p.step order by p.seq) as run from plain p)
  insert into ready (queue, priority, from_seq, to_seq, task_id, step, since)
    select n.queue, n.priority, min(n.seq), max(n.seq), case when count(*) = 1 then (array_agg(n.task_id))[1] end, n.step, p_now
    from (select s.*, (s.seq - min(s.seq) over (partition by s.queue, s.priority, s.step, s.run)) / 64 as part from runs s) n
    group by n.queue, n.priority, n.step, n.run, n.part;
  for r in
    with rest as (delete from waiting w where w.task_id = any (p_tasks) returning w.*)
    select * from rest order by priority desc, seq
  loop
    -- It may have kept a task with a higher priority from its key.
    perform waybill_next_of_key(null, r.queue, r.key) where r.key is not null;
    perform waybill_offer(r.task_id, r.queue, r.key, r.priority, r.seq, r.due_at, 0, null, p_now);
  end loop;
  return v_queues;
end $$
