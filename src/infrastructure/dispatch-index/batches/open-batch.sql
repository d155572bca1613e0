-- Lets up to p_max tasks of an opened batch go, and notes if there are more. Returns the queues that now have tasks to
-- give out. New tasks without a key share extents, as they would have outside a batch.
create function waybill_open_batch(p_batch uuid, p_now timestamptz, p_max int default 1000) returns text[] language plpgsql as $$
declare
  v_freed uuid[];
  v_count int;
  v_queues text[];
  r waiting;
begin
  with opened as (
    update waiting w set staged = null, blockers = w.blockers - 1
    where w.task_id = any (array(select s.task_id from waiting s where s.staged = p_batch limit p_max))
    returning w.task_id, w.gate, w.blockers)
  select count(*), coalesce(array_agg(o.task_id) filter (where o.blockers = 0 and o.gate = 'blocked'), '{}')
    into v_count, v_freed from opened o;
  v_queues := array(select distinct w.queue from waiting w where w.task_id = any (v_freed));
  with plain as (
    delete from waiting w where w.task_id = any (v_freed) and w.key is null and coalesce(w.due_at <= p_now, true)
      and (select t.revision from tasks t where t.task_id = w.task_id) = 0
    returning w.*),
  runs as (
    select p.*, p.seq - row_number() over (partition by p.queue, p.priority order by p.seq) as run from plain p)
  insert into ready (queue, priority, from_seq, to_seq, task_id, since)
    select n.queue, n.priority, min(n.seq), max(n.seq), case when count(*) = 1 then (array_agg(n.task_id))[1] end, p_now
    from (select s.*, (s.seq - min(s.seq) over (partition by s.queue, s.priority, s.run)) / 64 as part from runs s) n
    group by n.queue, n.priority, n.run, n.part;
  for r in
    with rest as (delete from waiting w where w.task_id = any (v_freed) returning w.*)
    select * from rest order by priority desc, seq
  loop
    perform waybill_offer(r.task_id, r.queue, r.key, r.priority, r.seq, r.due_at, 0, null, p_now);
  end loop;
  if v_count = p_max then insert into consequences (id, what) values (p_batch, 'open') on conflict do nothing; end if;
  return v_queues;
end $$
