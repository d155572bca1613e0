-- The stream of a task that the index does not know may begin with a fence.
create function waybill_stale_in_index(m jsonb) returns boolean language sql stable as $$
  select case when m ? 'created' then exists (select from known_tasks where task_id = (m->>'stream')::uuid)
    when m ? 'move' then (m->>'expected')::int is distinct from (select revision from known_tasks where task_id = (m->>'stream')::uuid)
    else false end
$$
