-- Counts the tasks of each batch, and marks the batches that tasks wait for.
update batches b set (total, open, succeeded, failed, aborted, deleted) = (
  select count(*), count(*) filter (where t.state not in ('succeeded', 'superseded', 'failed', 'aborted', 'deleted')),
    count(*) filter (where t.state in ('succeeded', 'superseded')), count(*) filter (where t.state = 'failed'),
    count(*) filter (where t.state = 'aborted'), count(*) filter (where t.state = 'deleted')
  from tasks t where t.batch = b.id);
update batches set awaited = true where id in (select needs from prerequisites);
insert into consequences (id, what)
  select b.id, case b.state when 'aborted' then 'abort' else 'delete' end from batches b where b.state in ('aborted', 'deleted') and exists (
    select from tasks t where t.batch = b.id and t.state not in ('succeeded', 'superseded', 'deleted')
      and not (t.state = 'aborted' and b.state = 'aborted'))
  on conflict do nothing
