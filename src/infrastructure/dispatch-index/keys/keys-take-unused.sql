-- Makes tasks whose keys nothing uses, blocks or waits for the ready ones of their keys. Returns them. Of several with the
-- same key, it takes any: those that come before it overtake it.
create function waybill_keys_take_unused(p_tasks waiting[], p_now timestamptz) returns uuid[] language sql as $$
  with lone as (
    select d.task_id, d.queue, d.key, case when q.policy->>'duplicatePending' not in ('allow', 'gather') then d.task_id end as waiting
    from unnest(p_tasks) as d join queues q on q.name = d.queue
    where d.key is not null and coalesce(d.due_at <= p_now, true)
      and not exists (select from waiting w where w.queue = d.queue and w.key = d.key)
      and not exists (select from key_failures f where f.queue = d.queue and f.key = d.key)),
  taken as (
    update key_slots s set ready = l.task_id, waiting = coalesce(s.waiting, l.waiting) from lone l
    where s.queue = l.queue and s.key = l.key and s.running is null and s.ready is null and coalesce(s.waiting = l.task_id, true)
    returning s.ready)
  select coalesce(array_agg(t.ready), '{}') from taken t
$$
