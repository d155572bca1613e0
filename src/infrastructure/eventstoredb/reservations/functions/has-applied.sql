-- Whether the index has already applied an append. Asked only for parts of transactions, which the log may hold twice.
create function waybill_has_applied(c jsonb) returns boolean language sql stable as $$
  select coalesce(waybill_index_revision(c) >= (c->>'revision')::int, false)
$$
