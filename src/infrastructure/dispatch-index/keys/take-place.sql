-- Takes the key's one waiting place for a task. If the policy lets tasks line up, there is no such place.
create function waybill_take_place(p_task uuid, p_queue text, p_key text) returns key_slots language sql as $$
  insert into key_slots as s (queue, key, waiting)
    select p_queue, p_key, case when q.policy->>'duplicatePending' not in ('allow', 'gather') then p_task end from queues q where q.name = p_queue
    on conflict (queue, key) do update set waiting = coalesce(s.waiting, excluded.waiting) returning *
$$
