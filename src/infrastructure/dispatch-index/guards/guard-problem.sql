-- Checks the conditions of an append (AppendConditions in event-store.port.ts) against the current tables. Returns the
-- problem, or null if all hold. Each condition has one branch, which all event stores share. p_position: the position
-- at which to take the idempotency key if all other conditions hold; null only looks the key up.
create function waybill_guard_problem(m jsonb, p_position bigint default null) returns jsonb language plpgsql as $$
declare
  k jsonb := m->'idempotencyKey';
  v_empty text := m->>'queueEmpty';
  v_waiting text;
  v_user uuid;
  v_problem jsonb;
  v_recorded jsonb;
begin
  if m ? 'leader' and not waybill_leads(m->'leader'->>'role', (m->'leader'->>'epoch')::bigint) then
    return jsonb_build_object('kind', 'refused', 'constraint', 'leader');
  end if;
  if m ? 'queue' and waybill_queues_changed(jsonb_build_array(m->'queue'))
      or m ? 'queueRevisions' and waybill_queues_changed(m->'queueRevisions') then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-changed');
  end if;
  if m ? 'lease' and not waybill_lease_stands((m->>'stream')::uuid, m->'lease') then
    return jsonb_build_object('kind', 'refused', 'constraint', 'lease');
  end if;
  if m ? 'keyFree' then
    v_user := waybill_key_user((m->>'stream')::uuid, m->'keyFree'->>'queue', m->'keyFree'->>'key');
    if v_user is not null then return jsonb_build_object('kind', 'refused', 'constraint', 'key-busy', 'taskId', v_user); end if;
  end if;
  if m ? 'notHeld' then
    v_problem := waybill_held_problem(m->'notHeld');
    if v_problem is not null then return v_problem; end if;
  end if;
  if m ? 'returns' then
    v_problem := coalesce(
      (select jsonb_build_object('kind', 'refused', 'constraint', 'prerequisite-dead', 'prerequisite', n.id, 'state', 'aborted')
        from jsonb_array_elements_text(m->'returns'->'needs') as n(id) where waybill_prerequisite_state(n.id::uuid) = 'aborted' limit 1),
      waybill_unique_problem((m->>'stream')::uuid, m->'returns'->>'queue', m->'returns'->>'reference', null),
      case when m->'returns' ? 'batch' then waybill_batch_problem((m->'returns'->>'batch')::uuid) end);
    if v_problem is not null then return v_problem; end if;
  end if;
  if m ? 'staysAborted' and exists (select from known_tasks t where t.task_id = (m->>'staysAborted')::uuid and t.state <> 'aborted') then
    return jsonb_build_object('kind', 'refused', 'constraint', 'prerequisite-back');
  end if;
  if v_empty is not null and (exists (select from ready where queue = v_empty)
      or exists (select from waiting where queue = v_empty) or exists (select from leases where queue = v_empty)) then
    return jsonb_build_object('kind', 'refused', 'constraint', 'queue-not-empty');
  end if;
  if m ? 'notAwaited' then
    v_waiting := waybill_awaiting(m->>'notAwaited');
    if v_waiting is not null then
      return jsonb_build_object('kind', 'refused', 'constraint', 'queue-awaited', 'queue', v_waiting);
    end if;
  end if;
  if m ? 'batch' and waybill_batch_differs((m->'batch'->>'id')::uuid, (m->'batch') - 'id') then
    return jsonb_build_object('kind', 'refused', 'constraint', 'batch-differs',
      'total', (select b.total from batches b where b.id = (m->'batch'->>'id')::uuid));
  end if;
  if m ? 'unneeded' then
    v_problem := waybill_batch_awaited_problem((m->>'unneeded')::uuid);
    if v_problem is not null then return v_problem; end if;
  end if;
  if k is not null then
    v_recorded := case when p_position is null then waybill_recorded_answer(k->>'key', (k->>'item')::int, k->>'fingerprint')
      else waybill_take_key(k, p_position) end;
    if v_recorded is not null then
      return jsonb_build_object('kind', 'refused', 'constraint', 'idempotency-key', 'recorded', v_recorded);
    end if;
  end if;
  return null;
end $$
