-- Makes the lease of a claim, takes its claim id and gives the task its key, before the claim's event is stored.
-- Whatever is applied meanwhile finds the key busy.
create function waybill_reserve_claim(c jsonb, p_task uuid) returns void language plpgsql as $$
declare
  v_token bigint := (c->>'token')::bigint;
begin
  perform waybill_occupy_key(t.task_id, t.queue, t.key) from tasks t where t.task_id = p_task and t.key is not null;
  insert into leases (id, tasks, open, queue, worker, server, holder, secret, claim_id, lease_ms, deadline)
    values (v_token, array[p_task], 1, c->>'queue', c->>'worker', c->>'server', c->>'holder', (c->>'secret')::uuid, (c->>'claimId')::uuid,
      (c->>'leaseMs')::int, clock_timestamp() + (c->>'leaseMs')::int * interval '1 millisecond')
    on conflict (id) do nothing;
  insert into claims as k (claim_id, queue, worker, first_token, last_token)
    values ((c->>'claimId')::uuid, c->>'queue', c->>'worker', v_token, v_token)
    on conflict (claim_id) do update set first_token = least(k.first_token, v_token), last_token = greatest(k.last_token, v_token);
end $$
