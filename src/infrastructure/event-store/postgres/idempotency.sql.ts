/** Who has an idempotency key, and taking one. */
export const IDEMPOTENCY_FUNCTIONS = `
-- Who has an idempotency key: for the item, or for any item of another request. Null: nobody.
create function waybill_idempotency_holder(p_key text, p_item int, p_fingerprint text) returns text language sql stable as $$
  select k.fingerprint || ' ' || k.stream || ' ' || k.revision || ' ' || k.position || ' ' || k.answer
  from idempotency_keys k where k.key = p_key and (k.item = p_item or k.fingerprint <> p_fingerprint)
  order by k.fingerprint <> p_fingerprint desc limit 1
$$;

-- Takes an idempotency key at a position. Null: taken. Otherwise who has it.
create function waybill_take_key(k jsonb, p_position bigint) returns text language plpgsql as $$
declare
  v_holder text := waybill_idempotency_holder(k->>'key', (k->>'item')::int, k->>'fingerprint');
begin
  if v_holder is not null then return v_holder; end if;
  insert into idempotency_keys (key, item, fingerprint, answer, stream, revision, position)
    values (k->>'key', (k->>'item')::int, k->>'fingerprint', k->>'answer', k->>'stream', (k->>'revision')::int, p_position)
    on conflict do nothing;
  -- Another look where somebody was faster: answers that record nothing take their keys without the log lock.
  return case when not found then waybill_idempotency_holder(k->>'key', (k->>'item')::int, k->>'fingerprint') end;
end $$;
`;
