-- Whether a claim would find a task in the queue, limits and holds aside.
create function waybill_may_give(p_queue text) returns boolean language sql stable as $$
  select exists (select from ready r where r.queue = p_queue)
    or (select w.due_at from waiting w where w.queue = p_queue and w.gate = 'due' order by w.due_at limit 1) <= now()
$$
