-- Takes what plain appends of different tasks need: the stream, the queue as it stands, the waiting place of a new task's key, its batch as it stands, and
-- the lease of a claim that is settled. Returns the problem of each append that got nothing.
create function waybill_reserve_plain(p_items jsonb, p_ttl_ms int) returns jsonb language plpgsql as $$
declare
  v_problems jsonb;
begin
  -- In the order in which heartbeats lock them.
  perform 1 from leases l where l.id = any (array(
    select (select t.lease from tasks t where t.task_id = m.stream and t.token = m.token)
    from jsonb_to_recordset(p_items) as m(stream uuid, token bigint) where m.token is not null)) order by l.id for update;
  with m as materialized (
    select * from jsonb_to_recordset(p_items) as m(i int, id uuid, stream uuid, name text, expected int, scope text, key text, batch uuid, queue text,
      "queueRevision" int, token bigint, secret uuid)),
  joined as materialized (
    select b.id, exists (select from reservations r where r.stream = b.id) as changes, waybill_batch_problem(b.id) as problem
    from (select distinct m.batch as id from m where m.batch is not null) b),
  judged as materialized (
    select m.*, case
      when exists (select from reservations r where r.stream = m.stream
            and (coalesce(r.transaction, r.id) <> m.id or r.deadline < clock_timestamp() or waybill_is_on_its_way(r)))
          or exists (select from reservations r where r.scope = m.scope and r.changes_scope)
          or m.key is not null and (select q.policy->>'duplicatePending' from queues q where q.name = m.scope) <> 'allow' and (
            select r.stream from reservations r where r.scope = m.scope and r.key = m.key and coalesce(r.transaction, r.id) <> m.id limit 1) is not null
          -- While a task is added to a batch, the batch does not change.
          or m.batch in (select b.id from joined b where b.changes)
          -- While a batch is about to report, its tasks do not change.
          or m.expected >= 0 and exists (select from reservations r where r.stream = (select t.batch from tasks t where t.task_id = m.stream))
        then jsonb_build_object('kind', 'busy')
      -- Perhaps by the same append: a server that has just stored it may not recognise it yet, so it must not be sent again.
      when exists (select from known_tasks t where t.task_id = m.stream and t.revision > m.expected) then jsonb_build_object('kind', 'moved')
      when m.queue is not null and m."queueRevision" <> coalesce((select q.revision from queues q where q.name = m.queue), -1)
        then jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed')
      when m.expected < 0 and exists (select from batches b where b.id = m.stream) then waybill_id_taken(m.stream, 'task')
      when m.expected < 0 and exists (select from system s where s.intake = 'closed') then waybill_draining()
      when m.batch in (select b.id from joined b where b.problem is not null) then (select b.problem from joined b where b.id = m.batch)
      when m.token is not null and not exists (
          select from leases l
          where l.id = (select t.lease from tasks t where t.task_id = m.stream and t.token = m.token)
            and m.stream = any (l.tasks) and (l.secret is null or l.secret = m.secret))
        then jsonb_build_object('kind', 'refused', 'constraint', 'lease')
      -- Not 'exists', for which a plan may read all keys and all that wait.
      when m.key is not null and ((select s.key from key_slots s where s.queue = m.scope and s.key = m.key limit 1) is not null
          or (select w.key from waiting w where w.queue = m.scope and w.key = m.key limit 1) is not null)
        then waybill_unique_problem(m.stream, m.scope, null, m.key)
      end as problem
    from m),
  -- Of those that want the same place, the first one gets it.
  placed as materialized (
    select j.*, case when j.key is not null and j.problem is null
          and row_number() over (partition by j.scope, j.key, j.problem is null order by j.i) > 1
          and (select q.policy->>'duplicatePending' from queues q where q.name = j.scope) <> 'allow'
        then jsonb_build_object('kind', 'busy') else j.problem end as outcome
    from judged j),
  reserved as (
    insert into reservations as o (stream, name, id, expected, scope, changes_scope, key, batch, deadline)
      select p.stream, p.name, p.id, p.expected, p.scope, false, p.key, p.batch, clock_timestamp() + p_ttl_ms * interval '1 millisecond'
      from placed p where p.outcome is null
      on conflict (stream) do update set deadline = excluded.deadline, reserved_at = excluded.reserved_at, key = coalesce(o.key, excluded.key))
  select jsonb_agg(p.outcome || jsonb_build_object('i', p.i)) into v_problems from placed p where p.outcome is not null;
  return coalesce(v_problems, '[]');
end $$
