-- Why a queue may not change in this way as its tasks and the other queues stand; null where it may.
create function waybill_queue_problem(m jsonb) returns jsonb language plpgsql as $$
declare
  v_empty text := m->>'empty';
  v_holder text;
begin
  if v_empty is not null and (exists (select from ready where queue = v_empty)
      or exists (select from waiting where queue = v_empty) or exists (select from leases where queue = v_empty)) then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-not-empty');
  end if;
  v_holder := waybill_awaiting(m->>'unawaited');
  if v_holder is not null then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-awaited', 'queue', v_holder);
  end if;
  return null;
end $$
