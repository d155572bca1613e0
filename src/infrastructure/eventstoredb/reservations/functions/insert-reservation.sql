-- p_transaction: the transaction that the append belongs to, or null. Parts of a transaction in the same stream share
-- one reservation.
create function waybill_insert_reservation(m jsonb, p_key text, p_ttl_ms int, p_transaction uuid) returns void language sql as $$
  -- From now on, nothing that the task would wait for can be deleted, or wait for the task.
  insert into prerequisites (task_id, needs, ignore, closed, reservation)
    select (m->>'stream')::uuid, n.needs, n.ignore, false, coalesce(p_transaction, (m->>'id')::uuid)
    from waybill_named_prerequisites(m->'after'->'add') n
    on conflict do nothing;
  insert into reservations (stream, name, id, expected, scope, changes_scope, key, reference, idempotency, ends, batch, lease, token, deadline, transaction, fences_all)
    values ((m->>'stream')::uuid, m->>'name', (m->>'id')::uuid, (m->>'expected')::int, m->>'scope', (m->>'changesScope')::boolean,
      p_key, m->>'reference', m->'before'->'idempotencyKey', m ? 'ends', (m->>'batch')::uuid,
      (m->'claim'->>'token')::bigint, (m->'claim'->>'token')::bigint,
      clock_timestamp() + p_ttl_ms * interval '1 millisecond', p_transaction, m ? 'fencesAll')
    on conflict (stream) do update set deadline = excluded.deadline, reserved_at = excluded.reserved_at, key = coalesce(reservations.key, excluded.key),
      idempotency = coalesce(reservations.idempotency, excluded.idempotency)
$$
