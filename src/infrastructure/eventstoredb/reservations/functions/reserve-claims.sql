-- Picks ready tasks in claim order and takes leases on them, one for each of the claims' places. Picks nothing from a
-- queue that is not active, or is about to change. A row without a token names a claim id that already got tasks.
-- p_first: the only task to pick, out of turn; null for any. p_ids: all claim ids, including those of claims without a
-- place.
create function waybill_reserve_claims(p_queue text, p_claims jsonb, p_ttl_ms int, p_first uuid, p_ids uuid[])
returns table (place int, task_id uuid, token bigint, queue_revision int, revision int, claim_id uuid, at timestamptz)
language plpgsql as $$
#variable_conflict use_column
declare
  q queues;
  v_count int := jsonb_array_length(p_claims);
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  return query select null::int, null::uuid, null::bigint, null::int, null::int, c.claim_id, null::timestamptz from claims c
    where c.claim_id = any (p_ids);
  if found then return; end if;
  select * into q from queues where name = p_queue;
  if waybill_withheld(q) is not null or exists (select from reservations where scope = p_queue and changes_scope) then return; end if;
  perform waybill_promote(p_queue, clock_timestamp(), v_count);
  return query
    with picked as materialized (
      select r.task_id, row_number() over (order by r.priority desc, r.from_seq)::int as place from ready r
      where r.queue = p_queue and (p_first is null or r.task_id = p_first)
        and not exists (select from reservations o where o.stream = r.task_id)
      order by r.priority desc, r.from_seq limit v_count),
    numbered as materialized (
      select p.place, p.task_id, nextval('lease_tokens') as token, t.revision, p_claims->(p.place - 1) as c
      from picked p join tasks t on t.task_id = p.task_id),
    taken as materialized (
      select n.*, waybill_reserve_claim(n.c || jsonb_build_object('token', n.token, 'queue', p_queue), n.task_id, (n.c->>'id')::uuid),
        waybill_insert_reservation(n.c || jsonb_build_object('stream', n.task_id, 'name', 'task-' || n.task_id,
          'expected', n.revision, 'scope', p_queue, 'changesScope', false), null, p_ttl_ms, null)
      from numbered n)
    select k.place, k.task_id, k.token, q.revision, k.revision, null::uuid,
      date_trunc('milliseconds', clock_timestamp()) from taken k order by k.place;
end $$
