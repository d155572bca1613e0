-- Gives a running task a lease of its own by its last claim. Any worker that has its token may report, because only the lost lease had the secret.
create function waybill_lease_anew(t tasks, p_claim jsonb) returns void language sql as $$
  insert into leases (id, queue, worker, server, claim_id, lease_ms, deadline, unheard, open, tasks)
    select c.token, t.queue, c.worker, c.server, c."claimId", c."leaseMs", clock_timestamp() + c."leaseMs" * interval '1 millisecond', false, 1, array[t.task_id]
    from jsonb_to_record(p_claim) as c(token bigint, worker text, server text, "claimId" uuid, "leaseMs" int)
    on conflict (id) do update set (queue, worker, server, claim_id, lease_ms, deadline, open, tasks) = (
      excluded.queue, excluded.worker, excluded.server, excluded.claim_id, excluded.lease_ms, excluded.deadline, excluded.open, excluded.tasks);
  update tasks set token = (p_claim->>'token')::bigint, lease = (p_claim->>'token')::bigint where task_id = t.task_id
$$
