-- Counts the tasks of each batch, and marks the batches that tasks wait for and those whose planner has ended.
update batches b set (total, open, succeeded, failed, aborted, deleted, task_ended) = (
  select count(*), count(*) filter (where t.state not in ('succeeded', 'superseded', 'failed', 'aborted', 'deleted')),
    count(*) filter (where t.state in ('succeeded', 'superseded')), count(*) filter (where t.state = 'failed'),
    count(*) filter (where t.state = 'aborted'), count(*) filter (where t.state = 'deleted'),
    coalesce(bool_or(b.state = 'failed' and t.position > b.position
      and t.state in ('succeeded', 'superseded', 'failed', 'aborted', 'deleted')), false)
  from tasks t where t.batch = b.id);
update batches set awaited = true where id in (select needs from prerequisites);
update batches b set plan_ended = true from tasks t where t.task_id = b.planner and t.state in ('failed', 'aborted', 'deleted') and b.state = 'planning';
insert into consequences (id, what)
  select b.id, case b.state when 'deleted' then 'delete' else 'abort' end from batches b
  where (b.state in ('aborted', 'deleted') or b.error is not null) and exists (
    select from tasks t where (t.batch = b.id or t.task_id = b.planner and b.state in ('aborted', 'deleted'))
      and t.state not in ('succeeded', 'superseded', 'deleted')
      and not (t.state = 'aborted' and b.state <> 'deleted'))
  on conflict do nothing
