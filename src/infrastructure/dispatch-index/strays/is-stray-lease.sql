-- Whether no task points to an overdue lease, and no claim in progress is about to make one. While a task expires, it still does.
create function waybill_is_stray_lease(l leases) returns boolean language sql stable as $$
  select l.deadline < now() and not exists (select from reservations r where r.stream = any (l.tasks) and r.lease = l.id)
    and not exists (select from tasks t where t.task_id = any (l.tasks) and t.lease = l.id)
$$
