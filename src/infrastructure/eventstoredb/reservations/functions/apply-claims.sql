-- Applies recorded claims. Their reservations already made the leases and gave the keys to the tasks, unless the log is
-- followed from its beginning. p_leases: the leases that the reservations pointed to, by the tasks.
create function waybill_apply_claims(p_claims jsonb, p_leases jsonb) returns void language plpgsql as $$
declare
  v_last bigint;
  v_count int;
  v_lacks_lease boolean;
  v_keyless uuid[];
begin
  with claimed as (
    update tasks t set state = 'running', token = c.token, lease = coalesce((p_leases->>c.task::text)::bigint, c.token), cancel_requested = false, worker = c.worker, attempt = c.attempt, entered = t.entered or t.step is not null,
        started_at = c."claimedAt", waiting_since = null, error = null, error_class = null, run_until = c."runUntil",
        alarm_at = least(c."runUntil", case when not t.missed then t.deadline_at end), position = c.position, revision = c.revision
      from jsonb_to_recordset(p_claims) as c(task uuid, token bigint, worker text, attempt int, "claimedAt" timestamptz, "runUntil" timestamptz, position bigint, revision int)
      where t.task_id = c.task and t.revision = c.revision - 1 returning t.task_id, t.queue, t.key, t.lease = t.token as lacks_lease),
  slots as materialized (
    select c.task_id, s.ctid as slot, s.running, s.waiting from claimed c left join key_slots s on s.queue = c.queue and s.key = c.key where c.key is not null),
  left_place as (update key_slots s set waiting = null where s.ctid = any (array(select k.slot from slots k where k.waiting = k.task_id)))
  select count(*), coalesce(bool_or(c.lacks_lease), false), array(select k.task_id from slots k where k.running is distinct from k.task_id)
    into v_count, v_lacks_lease, v_keyless from claimed c;
  if v_count < jsonb_array_length(p_claims) then
    raise exception using errcode = 'WB002', message = 'the dispatch index lacks a task that was claimed, or an event of it, or has the claim';
  end if;
  if v_keyless <> '{}' then
    perform waybill_occupy_key(t.task_id, t.queue, t.key) from tasks t where t.task_id = any (v_keyless);
  end if;
  with waited as (delete from waiting where task_id = any (array(select (c->>'task')::uuid from jsonb_array_elements(p_claims) as c)))
  delete from ready d using tasks t
    where t.task_id = any (array(select (c->>'task')::uuid from jsonb_array_elements(p_claims) as c))
      and d.queue = t.queue and d.priority = t.priority and d.from_seq = coalesce(t.place, t.seq);
  if v_lacks_lease then
    with made as (
      insert into leases (id, tasks, open, queue, worker, server, claim_id, lease_ms, deadline)
        select c.token, array[c.task], 1, c.queue, c.worker, c.server, c."claimId", c."leaseMs",
          clock_timestamp() + c."leaseMs" * interval '1 millisecond'
        from jsonb_to_recordset(p_claims) as c(task uuid, token bigint, queue text, worker text, server text, "claimId" uuid, "leaseMs" int)
        where not p_leases ? c.task::text and not exists (select from leases l where l.id = c.token)
        returning id)
    select max(id) into v_last from made;
    if v_last is not null then
      perform setval('lease_tokens', greatest((select last_value from lease_tokens), v_last));
    end if;
  end if;
  update open_histories h set revision = c.revision, events = h.events || E'\n' || c.history
    from jsonb_to_recordset(p_claims) as c(task uuid, revision int, history text) where h.task_id = c.task;
end $$
