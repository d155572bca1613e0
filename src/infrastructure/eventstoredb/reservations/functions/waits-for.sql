-- The key whose waiting place an append takes; null if it takes none.
create function waybill_waits_for(m jsonb) returns text language sql stable as $$
  select case when not m ? 'waits' then null when m ? 'created' then m->>'key'
    else (select t.key from known_tasks t where t.task_id = (m->>'stream')::uuid) end
$$
