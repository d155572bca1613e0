-- The last revision that the index has applied of the stream that a change belongs to; null if it has no row of it.
create function waybill_index_revision(c jsonb) returns int language sql stable as $$
  select case when c ? 'row' then waybill_row_revision(c->>'table', c->'row')
    else (select revision from known_tasks where task_id = (c->>'task')::uuid) end
$$
