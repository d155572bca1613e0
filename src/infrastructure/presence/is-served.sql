-- Whether a worker asks for tasks of the queue at this step (null: for tasks without steps), has not given one of this kind
-- back as unknown, and offers what they need (null: nothing). It counts for a minute after it last asked, and while it has a lease of the queue. Also counts
-- whoever has a lease without ever asking, for tasks that need nothing.
create function waybill_is_served(p_queue text, p_step text, p_kind text, p_needs jsonb) returns boolean language plpgsql stable as $$
begin
  return (with serving as (
    select s.worker from worker_steps s join worker_presence p on p.queue = s.queue and p.worker = s.worker
    where s.queue = p_queue and s.step in ('', coalesce(p_step, '')) and s.seen_at > p.seen_at - :PRESENT_FOR
      and (p.seen_at > now() - :PRESENT_FOR
        or p.worker in (select l.worker from leases l where l.queue = p_queue and l.deadline > now()))
      and (p_needs is null or p.offers @> p_needs)
    union all
    select l.worker from leases l where l.queue = p_queue and l.deadline > now() and p_needs is null
      and not exists (select from worker_presence p where p.queue = l.queue and p.worker = l.worker))
  select exists (select from serving s where not exists (select from unknown_kinds u
    where u.queue = p_queue and u.kind = p_kind and u.worker = s.worker and u.seen_at > now() - :UNKNOWN_FOR)));
end $$
