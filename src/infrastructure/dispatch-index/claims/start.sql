-- Gives a new task to the worker that created it: its lease, its claim and its key. If the events are in another store, a
-- reservation has made the lease already.
create function waybill_start(s jsonb, p_task uuid, p_queue text, p_key text) returns void language plpgsql as $$
declare
  v_token bigint := (s->>'token')::bigint;
  v_lease_ms int := (s->>'leaseMs')::int;
begin
  insert into leases (id, tasks, open, queue, worker, server, holder, secret, claim_id, lease_ms, deadline)
    values (v_token, array[p_task], 1, p_queue, s->>'worker', s->>'server', s->>'holder', (s->>'secret')::uuid, (s->>'claimId')::uuid, v_lease_ms,
      clock_timestamp() + v_lease_ms * interval '1 millisecond')
    on conflict (id) do nothing;
  insert into claims (claim_id, queue, worker, first_token, last_token)
    values ((s->>'claimId')::uuid, p_queue, s->>'worker', v_token, v_token) on conflict (claim_id) do nothing;
  if p_key is not null then perform waybill_start_key(p_task, p_queue, p_key); end if;
end $$
