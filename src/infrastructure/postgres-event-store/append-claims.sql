-- The phase of an append that starts claimed attempts, takes the tasks out of the ready lane unless they are p_picked, and makes the
-- lease and the claim of each request. Returns what waybill_claim does.
create function waybill_append_claims(
  p_claims waybill_claim[], p_requests waybill_claim_request[], p_picked boolean, p_segments waybill_segment[], p_head bigint, p_now timestamptz,
  inout problems jsonb, inout bad int[], out firsts int[], out befores bigint[]
) language plpgsql as $$
declare
  v_leases bigint[];
  v_claimed record;
  r record;
begin
  if exists (select from claims c where c.claim_id = any (array(select q.claim_id from unnest(p_requests) as q))) then
    for r in
      select k.item from unnest(p_claims) as k join claims c on c.claim_id = (p_requests[k.request]).claim_id where k.item <> all (bad)
    loop
      problems := problems || jsonb_build_object('i', r.item, 'kind', 'refused', 'constraint', 'claim-repeated');
      bad := bad || r.item;
    end loop;
  end if;
  v_leases := array(select nextval('lease_tokens') from unnest(p_requests));
  v_claimed := waybill_claim(p_claims, p_requests, v_leases, p_head, null, bad);
  firsts := v_claimed.firsts;
  befores := v_claimed.befores;
  if not p_picked then
    perform waybill_leave_lane(t.queue, t.priority, coalesce(t.place, t.seq)) from tasks t where t.position = any (
      array(select p_head + n from unnest(firsts) as n)) and t.task_id = any (array(select k.task from unnest(p_claims) as k));
  end if;
  if cardinality(firsts) < cardinality(p_claims) then
    for r in
      select k.*, coalesce(t.revision, -1) as actual from unnest(p_claims) as k left join tasks t on t.task_id = k.task
      where t.position is distinct from p_head + k.first and k.item <> all (bad)
    loop
      problems := problems || waybill_stale(r.item, p_segments, r.first, r.first, r.actual);
      bad := bad || r.item;
    end loop;
  end if;
  with granted as materialized (
    select request, array_agg(task order by token) as tasks, min(token) as first_token, max(token) as last_token
    from unnest(p_claims) where item <> all (bad) group by request),
  leased as (
    insert into leases (id, queue, worker, server, holder, secret, claim_id, lease_ms, deadline, open, tasks)
      select v_leases[k.request], q.queue, q.worker, q.server, q.holder, q.secret, q.claim_id, q.lease_ms, p_now + q.lease_ms * interval '1 millisecond',
        cardinality(k.tasks), k.tasks
      from granted k join unnest(p_requests) with ordinality as q on q.ordinality = k.request)
  insert into claims (claim_id, queue, worker, first_token, last_token, created_at)
    select q.claim_id, q.queue, q.worker, k.first_token, k.last_token, p_now
    from granted k join unnest(p_requests) with ordinality as q on q.ordinality = k.request;
end $$
