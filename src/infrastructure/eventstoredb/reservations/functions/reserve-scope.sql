-- A change of a scope (a queue) waits for the appends that were decided by its old state, and refuses new ones
-- meanwhile.
create function waybill_reserve_scope(m jsonb, p_ttl_ms int) returns jsonb language plpgsql as $$
declare
  v_id uuid := (m->>'id')::uuid;
  v_problem jsonb;
begin
  if waybill_may_lack_reservations(p_ttl_ms) then return jsonb_build_object('kind', 'busy'); end if;
  if (m->'before' ? 'queueRevisions' or m->'turn' ? 'notAwaited') and exists (select from reservations where changes_scope and id <> v_id) then
    return jsonb_build_object('kind', 'busy');
  end if;
  perform waybill_insert_reservation(m, null, p_ttl_ms, null);
  if exists (select from reservations where scope = m->>'scope' and not changes_scope) then
    return jsonb_build_object('kind', 'busy');
  end if;
  v_problem := waybill_guard_problem((m->'before') || (m->'turn'));
  if v_problem is not null then delete from reservations where id = v_id; end if;
  return v_problem;
end $$
