-- Whether the index has already applied an append. Asked only for parts of transactions, which the log may hold twice.
create function waybill_has_applied(c jsonb) returns boolean language sql stable as $$
  select case when c ? 'row' then coalesce(waybill_row_revision(c->>'table', c->'row') >= (c->>'revision')::int, false)
    else exists (select from known_tasks where task_id = (c->>'task')::uuid and revision >= (c->>'revision')::int) end
$$
