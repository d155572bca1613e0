-- Whether an append under way takes something that this append needs, so that the outcome of the other one decides.
-- p_own: the reservation, or the transaction, of this append. Its own place counts as taken once it is overdue, because
-- from then on only the cleaner may release it. The same append, sent again, waits while the first one may be on its way to
-- the store, which would answer the second after seconds. p_begun: new tasks that are stored before this append.
create function waybill_under_way(m jsonb, p_key text, p_own uuid, p_begun uuid[] default '{}') returns boolean language plpgsql stable as $$
declare
  v_scope text := m->>'scope';
  k jsonb := m->'before'->'idempotencyKey';
begin
  if exists (select from reservations r where r.stream = (m->>'stream')::uuid
               and (coalesce(r.transaction, r.id) <> p_own or r.deadline < clock_timestamp() or waybill_is_on_its_way(r)))
    or exists (select from reservations r where r.scope = v_scope and r.changes_scope and coalesce(r.transaction, r.id) <> p_own) then
    return true;
  end if;
  if m ? 'reference' and exists (
      select from reservations r join queues q on q.name = r.scope
      where r.scope = v_scope and r.reference = m->>'reference' and coalesce(r.transaction, r.id) <> p_own
        and q.policy->>'uniqueReference' in ('open', 'always')) then
    return true;
  end if;
  if p_key is not null and exists (
      select from reservations r join queues q on q.name = r.scope
      where r.scope = v_scope and r.key = p_key and coalesce(r.transaction, r.id) <> p_own
        and q.policy->>'duplicatePending' <> 'allow') then
    return true;
  end if;
  -- While a task is added to a batch, the batch does not change, and the other way around.
  if exists (select from reservations r where r.stream = (m->>'batch')::uuid and coalesce(r.transaction, r.id) <> p_own)
    or exists (select from reservations r where r.batch = (m->>'stream')::uuid and coalesce(r.transaction, r.id) <> p_own) then
    return true;
  end if;
  -- While a batch is about to end, its tasks do not change, and the other way around, so the counts in its event are
  -- those of the log.
  if exists (select from known_tasks t join reservations r on r.stream = t.batch
        where t.task_id = (m->>'stream')::uuid and coalesce(r.transaction, r.id) <> p_own)
    or m->'turn'->'batch' ? 'failed' and exists (
        select from tasks t join reservations r on r.stream = t.task_id
        where t.batch = (m->>'stream')::uuid and coalesce(r.transaction, r.id) <> p_own) then
    return true;
  end if;
  -- What the task would wait for may be about to end, also with its batch. A task that is not known yet may be created.
  if m ? 'after' and exists (
      select from waybill_named_prerequisites(m->'after'->'add') n left join known_tasks t on t.task_id = n.needs
        join reservations r on r.stream in (n.needs, t.batch)
      where (r.ends or r.stream = t.batch or t.task_id is null) and r.stream <> all (p_begun) and coalesce(r.transaction, r.id) <> p_own) then
    return true;
  end if;
  return k is not null and waybill_key_under_way(k, p_own);
end $$
