-- Whether a queue counts failures of which it has no task: nothing would pause it, so that nobody could resume it.
create function waybill_is_stray_streak(q queues) returns boolean language sql stable as $$
  select q.failure_streak <> 0 and not exists (select from known_tasks t where t.task_id = q.failure_task and t.queue = q.name)
$$
