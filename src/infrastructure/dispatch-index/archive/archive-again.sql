-- Moves the tasks to the archive that were there before the rebuild, after all else was derived from their rows.
with gone as (
  delete from tasks t using pg_temp.archived a where a.task_id = t.task_id and t.finished_at is not null returning a.archived_at, t.*),
failing as (
  delete from key_failures f using pg_temp.archived a where f.task_id = a.task_id)
insert into tasks_archive select * from gone;
update archives a set tasks = (select count(*) from tasks_archive t where t.queue = a.queue)
