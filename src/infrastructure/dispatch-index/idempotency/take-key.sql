-- Takes an idempotency key at a position. Returns null if it was free, otherwise the answer stored under it. The caller
-- must hold the log lock; without it, two requests could take one key, each for another item.
create function waybill_take_key(k jsonb, p_position bigint) returns jsonb language plpgsql as $$
declare
  v_recorded jsonb := waybill_recorded_answer(k->>'key', (k->>'item')::int, k->>'fingerprint');
begin
  if v_recorded is not null then return v_recorded; end if;
  insert into idempotency_keys (key, item, fingerprint, answer, stream, revision, position)
    values (k->>'key', (k->>'item')::int, k->>'fingerprint', k->'answer', k->>'stream', (k->>'revision')::int, p_position);
  return null;
end $$
