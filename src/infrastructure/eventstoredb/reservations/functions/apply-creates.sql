-- Applies new tasks that have no reference, wait for no others and are not held. A task whose key no other has is placed with
-- those without a key.
create function waybill_apply_creates(p_creates jsonb) returns void language plpgsql as $$
declare
  v_slow uuid[] := '{}';
  -- Batches whose tasks must not run.
  v_staged uuid[] := '{}';
begin
  if p_creates @? '$[*].batch' then
    v_staged := array(select waybill_staged_in(b.id) from (select distinct (c->>'batch')::uuid as id from jsonb_array_elements(p_creates) as c where c ? 'batch') b);
    v_staged := array_remove(v_staged, null);
  end if;
  if p_creates @? '$[*].key' then
    with keyed as materialized (
      select c.*, case when (select q.policy->>'duplicatePending' from queues q where q.name = c.queue) <> 'allow' then c.task end as place
      from jsonb_to_recordset(p_creates) as c(task uuid, queue text, key text, batch uuid, due timestamptz, at timestamptz) where c.key is not null),
    fresh as (
      insert into key_slots (queue, key, waiting, ready)
        select k.queue, k.key, k.place, k.task from keyed k
        where (k.due is null or k.due <= k.at) and (k.batch is null or k.batch <> all (v_staged))
          and (select w.task_id from waiting w where w.queue = k.queue and w.key = k.key limit 1) is null
          -- If tasks line up, a failed one may block the key.
          and (k.place is not null or (select f.task_id from key_failures f where f.queue = k.queue and f.key = k.key limit 1) is null)
        on conflict (queue, key) do nothing
        returning ready)
    select coalesce(array_agg(k.task), '{}') into v_slow from keyed k where k.task not in (select f.ready from fresh f);
  end if;
  with c as materialized (
    select c.*, c.batch = any (v_staged) is true as staged from jsonb_to_recordset(p_creates) as c(task uuid, queue text, batch uuid, kind text, key text,
      priority int, labels jsonb, description text, due timestamptz, step text, position bigint, revision int, at timestamptz, history text)),
  kept as (
    insert into open_histories (task_id, revision, events) select c.task, c.revision, c.history from c),
  created as (
    insert into tasks (task_id, queue, state, batch, kind, key, priority, labels, description, due_at, enqueued_at, attempt, seq, position, revision, step)
      select c.task, c.queue, 'pending', c.batch, c.kind, c.key, c.priority, c.labels, c.description, c.due, c.at, 0, c.position, c.position, c.revision, c.step
      from c where c.task <> all (v_slow)),
  offered as (
    insert into ready (queue, priority, from_seq, to_seq, task_id, step)
      select c.queue, c.priority, c.position, c.position, c.task, c.step from c
      where (c.due is null or c.due <= c.at) and not c.staged and c.task <> all (v_slow))
  insert into waiting (task_id, queue, gate, due_at, priority, place, blockers, staged)
    select c.task, c.queue, case when c.staged then 'blocked' else 'due' end, c.due, c.priority, c.position,
      c.staged::int, case when c.staged then c.batch end
    from c where (c.due > c.at or c.staged) and c.task <> all (v_slow);
  if v_slow <> '{}' then v_slow := waybill_apply_keyed_creates(p_creates, v_slow, v_staged); end if;
  if p_creates @? '$[*].batch' then
    perform waybill_count_members(c.batch, null, 'pending', count(*)::int) from jsonb_to_recordset(p_creates) as c(task uuid, batch uuid)
      where c.batch is not null and c.task <> all (v_slow) group by c.batch;
  end if;
end $$
