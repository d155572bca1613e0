-- Picks one task out of turn, as waybill_pick does; nothing where it is not ready. Inside the gate no other claim has it.
create function waybill_pick_task(p_queue text, p_task uuid)
returns table (tokens text, seqs text, task_ids text, queue_revision int, priority int, "position" bigint, revision int, type text,
               version smallint, recorded_at timestamptz, shared text, data text)
language sql as $$
  with picked as (
    delete from ready r using tasks t, queues q
    where t.task_id = p_task and t.queue = p_queue and q.name = t.queue and waybill_withheld(q) is null
      and r.queue = t.queue and r.priority = t.priority and r.seq = t.seq
    returning t.task_id, q.revision, t.priority, t.seq),
  numbered as materialized (select p.*, nextval('lease_tokens') as token from picked p)
  select n.token::text, e.position::text, n.task_id::text, n.revision, n.priority, e.position, e.revision, e.type, e.version, e.recorded_at,
    null::text, e.data
  from numbered n cross join lateral waybill_history(n.task_id) e
$$
