-- Starts attempts of tasks, many at once: those that have the revision of their record. Each gets the lease of its request, by the number of
-- that, and its key, if it has one. p_positions: of the claims, by their 'first'; null if they are so far behind p_head. Leaves out the items of p_bad.
-- Returns the numbers of those that were applied, and for each the position of its task's previous event. The caller takes the
-- tasks from their places.
create function waybill_claim(
  p_claims waybill_claim[], p_requests waybill_claim_request[], p_leases bigint[], p_head bigint, p_positions bigint[], p_bad int[],
  out firsts int[], out befores bigint[]
) language plpgsql as $$
#variable_conflict use_column
declare
  v_keyless uuid[];
begin
  -- A task whose only event is its first one has that event's position as its seq.
  with claimed as (
    update tasks t set state = 'running', token = k.token, lease = p_leases[k.request], cancel_requested = false, worker = (p_requests[k.request]).worker,
      attempt = k.attempt, entered = t.entered or t.step is not null, started_at = (p_requests[k.request]).started, waiting_since = null, waits_for = null,
      error = null, error_class = null, run_until = k.until, alarm_at = least(k.until, case when not t.missed then t.deadline_at end),
      position = coalesce(p_positions[k.first], p_head + k.first), revision = k.expected + 1
    from unnest(p_claims) as k
    where t.task_id = k.task and t.revision = k.expected and k.item <> all (p_bad)
    returning t.task_id, t.queue, t.key, k.first,
      case when k.expected = 0 then t.seq else (select o.position from tasks o where o.task_id = t.task_id) end as before),
  -- A reservation has given a task its key already.
  slots as (
    update key_slots s set running = coalesce(s.ready, s.running), ready = null, waiting = nullif(s.waiting, coalesce(s.ready, s.running))
    where s.ctid = any (array(
      select (select k.ctid from key_slots k where k.queue = c.queue and k.key = c.key and c.task_id in (k.ready, k.running))
      from claimed c where c.key is not null))
    returning s.running)
  select coalesce(array_agg(c.first), '{}'), coalesce(array_agg(c.before), '{}'),
      array_agg(c.task_id) filter (where c.key is not null and c.task_id not in (select s.running from slots s))
    into firsts, befores, v_keyless from claimed c;
  if v_keyless is not null then
    perform waybill_occupy_key(t.task_id, t.queue, t.key) from tasks t where t.task_id = any (v_keyless);
  end if;
end $$
