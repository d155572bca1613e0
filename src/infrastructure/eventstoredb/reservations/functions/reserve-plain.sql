-- Takes what plain appends of different tasks need: the stream, the queue as it stands, and the lease of a claim that is
-- settled. Returns the problem of each append that got nothing.
create function waybill_reserve_plain(p_items jsonb, p_ttl_ms int) returns jsonb language plpgsql as $$
declare
  v_problems jsonb;
begin
  -- In the order in which heartbeats lock them.
  perform 1 from leases l where l.id = any (array(
    select coalesce((select t.lease from tasks t where t.task_id = m.stream and t.token = m.token), m.token)
    from jsonb_to_recordset(p_items) as m(stream uuid, token bigint) where m.token is not null)) order by l.id for update;
  with m as materialized (
    select * from jsonb_to_recordset(p_items) as m(i int, id uuid, stream uuid, name text, expected int, scope text, queue text,
      "queueRevision" int, token bigint, secret uuid)),
  judged as materialized (
    select m.*, case
      when exists (select from reservations r where r.stream = m.stream
            and (coalesce(r.transaction, r.id) <> m.id or r.deadline < clock_timestamp() or waybill_is_on_its_way(r)))
          or exists (select from reservations r where r.scope = m.scope and r.changes_scope)
          -- While a batch is about to report, its tasks do not change.
          or m.expected >= 0 and exists (select from reservations r where r.stream = (select t.batch from tasks t where t.task_id = m.stream))
        then jsonb_build_object('kind', 'busy')
      when m.queue is not null and m."queueRevision" <> coalesce((select q.revision from queues q where q.name = m.queue), -1)
        then jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed')
      when m.expected < 0 and exists (select from batches b where b.id = m.stream) then waybill_id_taken(m.stream, 'task')
      when m.expected < 0 and exists (select from system s where s.intake = 'closed') then waybill_draining()
      when m.token is not null and not exists (
          select from leases l
          where l.id = coalesce((select t.lease from tasks t where t.task_id = m.stream and t.token = m.token), m.token)
            and m.stream = any (l.tasks) and (l.secret is null or l.secret = m.secret))
        then jsonb_build_object('kind', 'refused', 'constraint', 'lease')
      end as problem
    from m),
  reserved as (
    insert into reservations (stream, name, id, expected, scope, changes_scope, deadline)
      select j.stream, j.name, j.id, j.expected, j.scope, false, clock_timestamp() + p_ttl_ms * interval '1 millisecond'
      from judged j where j.problem is null
      on conflict (stream) do update set deadline = excluded.deadline, reserved_at = excluded.reserved_at)
  select jsonb_agg(j.problem || jsonb_build_object('i', j.i)) into v_problems from judged j where j.problem is not null;
  return coalesce(v_problems, '[]');
end $$
