-- Whether the index has an append already; asked for the parts of transactions only, of which it may meet one twice.
create function waybill_has_applied(c jsonb) returns boolean language sql stable as $$
  select case when c ? 'row' then exists (select from queues where name = c->'row'->>'name' and revision >= (c->>'revision')::int)
    else exists (select from tasks where task_id = (c->>'task')::uuid and revision >= (c->>'revision')::int) end
$$
