-- Finds another task that excludes this one from its queue, by having the same reference or the waiting place of the
-- same key. Null if there is none.
create function waybill_unique_problem(p_task uuid, p_queue text, p_reference text, p_key text) returns jsonb language plpgsql as $$
declare
  v_other uuid;
  v_unique text;
begin
  if p_reference is not null then
    select o.task_id, q.policy->>'uniqueReference' into v_other, v_unique from known_tasks o join queues q on q.name = o.queue
      where o.queue = p_queue and o.reference = p_reference and o.task_id <> p_task and (q.policy->>'uniqueReference' = 'always'
        or q.policy->>'uniqueReference' = 'open' and o.state not in ('succeeded', 'aborted', 'superseded', 'deleted'))
      limit 1;
    if found then return jsonb_build_object('kind', 'refused', 'constraint', 'reference', 'taskId', v_other, 'uniqueReference', v_unique); end if;
  end if;
  if p_key is not null then
    v_other := waybill_key_occupant(p_queue, p_key, p_task);
    if v_other is not null then return jsonb_build_object('kind', 'refused', 'constraint', 'key-waiting', 'taskId', v_other); end if;
  end if;
  return null;
end $$
