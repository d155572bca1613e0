import { LOG_LOCK } from '../postgres-event-store/append.sql.js';

/** What was answered under an idempotency key, and taking one. */
export const IDEMPOTENCY_FUNCTIONS = `
-- What was answered under an idempotency key: for the item, or for any item of another request. Null: the key is free.
create function waybill_recorded_answer(p_key text, p_item int, p_fingerprint text) returns jsonb language sql stable as $$
  select jsonb_build_object('fingerprint', k.fingerprint, 'stream', k.stream, 'revision', k.revision, 'position', k.position::text,
    'answer', k.answer)
  from idempotency_keys k where k.key = p_key and (k.item = p_item or k.fingerprint <> p_fingerprint)
  order by k.fingerprint <> p_fingerprint desc limit 1
$$;

-- Takes an idempotency key at a position. Null: taken. Otherwise what was answered under it. The caller holds the log lock: two requests could else take
-- one key, each for another item.
create function waybill_take_key(k jsonb, p_position bigint) returns jsonb language plpgsql as $$
declare
  v_recorded jsonb := waybill_recorded_answer(k->>'key', (k->>'item')::int, k->>'fingerprint');
begin
  if v_recorded is not null then return v_recorded; end if;
  insert into idempotency_keys (key, item, fingerprint, answer, stream, revision, position)
    values (k->>'key', (k->>'item')::int, k->>'fingerprint', k->'answer', k->>'stream', (k->>'revision')::int, p_position);
  return null;
end $$;

-- Whether an append under way takes the same key, for the item or for another request. p_own: the reservation, or the transaction, that
-- the key belongs to; null for an answer that recorded nothing.
create function waybill_key_under_way(k jsonb, p_own uuid) returns boolean language sql stable as $$
  select exists (select from reservations r
    where r.idempotency->>'key' = k->>'key' and coalesce(r.transaction, r.id) is distinct from p_own
      and (r.idempotency->'item' = k->'item' or r.idempotency->>'fingerprint' <> k->>'fingerprint'))
$$;

-- Takes the keys of answers that recorded nothing, each at its position; for each null, or what was answered before. No row, and none is taken: an append
-- under way takes one of them, and how that ends decides.
create function waybill_remember(p_answers jsonb) returns table (recorded jsonb) language plpgsql as $$
begin
  perform pg_advisory_xact_lock(${LOG_LOCK});
  if exists (select from jsonb_array_elements(p_answers) as k where waybill_key_under_way(k, null)) then return; end if;
  return query select waybill_take_key(k, (k->>'position')::bigint) from jsonb_array_elements(p_answers) with ordinality as a(k, at) order by at;
end $$;
`;
