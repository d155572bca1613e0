-- The answer stored under an idempotency key, for the item or for any item of another request. Null if the key is free.
create function waybill_recorded_answer(p_key text, p_item int, p_fingerprint text) returns jsonb language sql stable as $$
  select jsonb_build_object('fingerprint', k.fingerprint, 'stream', k.stream, 'revision', k.revision, 'position', k.position::text,
    'answer', k.answer)
  from idempotency_keys k where k.key = p_key and (k.item = p_item or k.fingerprint <> p_fingerprint)
  order by k.fingerprint <> p_fingerprint desc limit 1
$$
