-- The failed tasks of each key.
insert into key_failures (queue, key, task_id)
  select queue, key, task_id from tasks where key is not null and state in ('failed', 'undecided')
