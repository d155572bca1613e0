-- Enters the queue's gate until the transaction ends, and returns the running tasks, if the policy limits them as a whole or on a server. From then on, nobody else claims
-- from this queue. A reserved claim is never overdue, because a fence ends it if its event is not stored.
create function waybill_gate(p_queue text, p_consumer uuid)
returns table (revision int, running jsonb, consumer jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  q queues;
begin
  perform pg_advisory_xact_lock(:GATE_LOCK);
  perform pg_advisory_xact_lock_shared(:CLAIMS_LOCK);
  select * into q from queues where name = p_queue;
  return query select q.revision,
    (select coalesce(jsonb_agg(jsonb_build_object('taskId', l.task_id, 'token', l.token::text, 'worker', l.worker,
        'server', l.server, 'until', l.deadline, 'unheard', l.unheard, 'overdue', l.deadline < clock_timestamp() and l.reservation is null) order by l.token), '[]')
      from task_leases l where l.queue = p_queue and (q.policy->>'concurrency' <> 'unlimited' or q.policy->>'maxRunning' is not null)),
    (select to_jsonb(h) || jsonb_build_object('resetClaimed', exists (
        select from waybill_history((h.reset->>'taskId')::uuid) c where c.type = 'TaskClaimed'
          and (c.data::jsonb->>'token')::bigint > (h.reset->>'token')::bigint))
      from (select coalesce(e.revisions[1], 0) as revision, e.type, e.version, e.data,
          case e.type when 'QueueTakenOver' then e.data::jsonb->'from' else e.data::jsonb->'reset' end as reset
        from segments e where e.category <> 'task' and e.streams[1] = p_consumer order by coalesce(e.revisions[1], 0) desc limit 1) h);
end $$
