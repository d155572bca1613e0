-- Whether a task is said to block its key though it did not fail.
create function waybill_is_stray_failure(f key_failures) returns boolean language sql stable as $$
  select not exists (select from reservations r where r.stream = f.task_id) and not exists (
    select from tasks t where t.task_id = f.task_id and t.queue = f.queue and t.key = f.key and t.state in ('failed', 'undecided'))
$$
