-- Whether an append under way takes the same key, for this item or for another request. p_own: the reservation, or the
-- transaction, of this key's own append; null for an answer that recorded nothing.
create function waybill_key_under_way(k jsonb, p_own uuid) returns boolean language sql stable as $$
  select exists (select from reservations r
    where r.idempotency->>'key' = k->>'key' and coalesce(r.transaction, r.id) is distinct from p_own
      and (r.idempotency->'item' = k->'item' or r.idempotency->>'fingerprint' <> k->>'fingerprint'))
$$
