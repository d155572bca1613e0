-- Applies a recorded claim. Its reservation already made the lease and gave the key to the task, unless the log is
-- followed from its beginning.
create function waybill_apply_claim(c jsonb, p_task uuid, p_position bigint, p_revision int) returns void language plpgsql as $$
declare
  t tasks;
  v_token bigint := (c->>'token')::bigint;
begin
  update tasks set state = 'running', token = v_token, lease = v_token, cancel_requested = false, worker = c->>'worker', attempt = (c->>'attempt')::int,
      started_at = (c->>'claimedAt')::timestamptz, waiting_since = null, error = null, error_class = null, position = p_position, revision = p_revision
    where task_id = p_task returning * into t;
  perform waybill_occupy_key(p_task, t.queue, t.key) where t.key is not null;
  delete from ready where queue = t.queue and priority = t.priority and from_seq = t.seq;
  delete from waiting where task_id = p_task;
  update key_slots set waiting = nullif(waiting, p_task) where queue = t.queue and key = t.key;
  insert into leases (id, tasks, open, queue, worker, server, claim_id, lease_ms, deadline)
    values (v_token, array[p_task], 1, t.queue, c->>'worker', c->>'server', (c->>'claimId')::uuid, (c->>'leaseMs')::int,
      clock_timestamp() + (c->>'leaseMs')::int * interval '1 millisecond')
    on conflict (id) do nothing;
  if found then
    perform setval('lease_tokens', greatest((select last_value from lease_tokens), v_token));
  end if;
end $$
