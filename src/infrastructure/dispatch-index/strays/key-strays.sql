-- The places of a key that name tasks which do not hold them. A task without a row holds its key as long as it has a lease: its worker may be at it. One that lost its place is given it by itself. 'next': tasks are in line, and nothing keeps the first one from being next.
create function waybill_key_strays(s key_slots) returns table (place text, task_id uuid) language sql stable as $$
  select n.place, n.task_id from (values
      ('running', s.running, array['running']), ('ready', s.ready, array['pending']), ('waiting', s.waiting, array['pending', 'held'])) as n(place, task_id, states)
  where n.task_id is not null and not exists (select from reservations r where r.stream = n.task_id)
    and (exists (select from tasks t where t.task_id = n.task_id)
      or not exists (select from leases l where l.queue = s.queue and n.task_id = any (l.tasks)))
    and not exists (
      select from tasks t where t.task_id = n.task_id and t.queue = s.queue and t.key = s.key and t.state = any (n.states)
        and (n.place <> 'ready' or waybill_is_ready(t.queue, t.priority, coalesce(t.place, t.seq)) or waybill_lost_place(t) = 'no place'
          or exists (select from waiting w where w.task_id = t.task_id and w.gate = 'quarantined')))
  union all
  select 'next', null where s.running is null and s.ready is null
    and exists (select from waiting w where w.queue = s.queue and w.key = s.key and w.gate = 'key') and (waybill_key_blocker(s.queue, s.key)).task_id is null
$$
