-- A queue's change waits for the appends that were decided by the queue as it was, and lets no new ones in meanwhile.
create function waybill_reserve_queue(m jsonb, p_ttl_ms int) returns jsonb language plpgsql as $$
declare
  v_id uuid := (m->>'id')::uuid;
  v_problem jsonb;
begin
  if (m ? 'queueRevisions' or m ? 'unawaited') and exists (select from reservations where is_queue and id <> v_id) then
    return jsonb_build_object('kind', 'busy');
  end if;
  perform waybill_insert_reservation(m, null, p_ttl_ms, null);
  if exists (select from reservations where queue = m->>'queue' and not is_queue) then
    return jsonb_build_object('kind', 'busy');
  end if;
  v_problem := coalesce(waybill_guard_problem(m), waybill_queue_problem(m));
  if v_problem is not null then delete from reservations where id = v_id; end if;
  return v_problem;
end $$
