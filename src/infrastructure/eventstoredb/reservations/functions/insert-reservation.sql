-- p_transaction: what the append is part of, or null. Its other parts in the same stream have the reservation in common.
create function waybill_insert_reservation(m jsonb, p_key text, p_ttl_ms int, p_transaction uuid) returns void language sql as $$
  insert into reservations (stream, name, id, expected, scope, changes_scope, key, reference, idempotency, deadline, transaction)
    values ((m->>'stream')::uuid, m->>'name', (m->>'id')::uuid, (m->>'expected')::int, m->>'scope', (m->>'changesScope')::boolean,
      p_key, m->>'reference', m->'before'->'idempotencyKey',
      clock_timestamp() + p_ttl_ms * interval '1 millisecond', p_transaction)
    on conflict (stream) do update set deadline = excluded.deadline, key = coalesce(reservations.key, excluded.key),
      idempotency = coalesce(reservations.idempotency, excluded.idempotency)
$$
