-- The same for what any append may be guarded by.
create function waybill_guard_problem(m jsonb) returns jsonb language plpgsql as $$
declare
  k jsonb := m->'idempotency';
  v_recorded jsonb;
begin
  if m ? 'guard' and not exists (
      select from queues where name = m->'guard'->>'name' and revision = (m->'guard'->>'revision')::int) then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed');
  end if;
  if m ? 'queueRevisions' and waybill_others_changed(m->'queueRevisions') then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed');
  end if;
  v_recorded := case when k is not null then waybill_recorded_answer(k->>'key', (k->>'item')::int, k->>'fingerprint') end;
  if v_recorded is not null then
    return jsonb_build_object('kind', 'refused', 'constraint', 'idempotency-key', 'recorded', v_recorded);
  end if;
  return null;
end $$
