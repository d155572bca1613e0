-- Applies recorded claims, which 'first' numbers from 1. Their reservations already made the leases and gave the keys to the tasks, unless the log is
-- followed from its beginning. p_leases: the leases that the reservations pointed to, by the tasks.
create function waybill_apply_claims(p_claims jsonb, p_leases jsonb) returns void language plpgsql as $$
declare
  v_claims waybill_claim[];
  v_requests waybill_claim_request[];
  v_positions bigint[];
  v_leases bigint[];
  v_lacks_lease boolean;
  v_claimed record;
  v_last bigint;
begin
  with c as materialized (select value as c from jsonb_array_elements(p_claims)),
  kept as (
    update open_histories h set revision = (c->>'revision')::int, events = h.events || E'\n' || (c->>'history') from c where h.task_id = (c->>'task')::uuid)
  select array_agg(jsonb_populate_record(null::waybill_claim, c)), array_agg(jsonb_populate_record(null::waybill_claim_request, c)),
      array_agg((c->>'position')::bigint), array_agg(coalesce(p_leases->>(c->>'task'), c->>'token')::bigint), bool_or(not p_leases ? (c->>'task'))
    into v_claims, v_requests, v_positions, v_leases, v_lacks_lease from c;
  v_claimed := waybill_claim(v_claims, v_requests, v_leases, null, v_positions, '{}');
  if cardinality(v_claimed.firsts) < cardinality(v_claims) then
    raise exception using errcode = 'WB002', message = 'the dispatch index lacks a task that was claimed, or an event of it, or has the claim';
  end if;
  with waited as (delete from waiting where task_id = any (array(select k.task from unnest(v_claims) as k)))
  delete from ready d using tasks t
    where t.task_id = any (array(select k.task from unnest(v_claims) as k))
      and d.queue = t.queue and d.priority = t.priority and d.from_seq = coalesce(t.place, t.seq);
  if v_lacks_lease then
    with made as (
      insert into leases (id, tasks, open, queue, worker, server, claim_id, lease_ms, deadline)
        select k.token, array[k.task], 1, r.queue, r.worker, r.server, r.claim_id, r.lease_ms, clock_timestamp() + r.lease_ms * interval '1 millisecond'
        from unnest(v_claims) as k cross join lateral (select (v_requests[k.request]).*) as r
        where not p_leases ? k.task::text and not exists (select from leases l where l.id = k.token)
        returning id)
    select max(id) into v_last from made;
    if v_last is not null then
      perform setval('lease_tokens', greatest((select last_value from lease_tokens), v_last));
    end if;
  end if;
end $$
