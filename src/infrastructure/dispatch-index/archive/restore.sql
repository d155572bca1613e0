-- Brings the rows of archived tasks back, because something happens to them. Returns how many it brought. The caller holds the
-- log lock.
create function waybill_restore(p_tasks uuid[]) returns int language plpgsql as $$
declare
  v_count int;
begin
  with gone as (
    delete from tasks_archive a where a.task_id = any (p_tasks) returning a),
  back as (
    insert into tasks select t.* from gone g cross join lateral jsonb_populate_record(null::tasks, to_jsonb(g.a)) as t
      returning task_id, queue, key, state),
  failing as (
    insert into key_failures (queue, key, task_id)
      select b.queue, b.key, b.task_id from back b where b.state = 'failed' and b.key is not null on conflict do nothing),
  fewer as (
    update archives a set tasks = a.tasks - b.tasks from (select queue, count(*) as tasks from back group by queue) b where a.queue = b.queue)
  select count(*) into v_count from back;
  return v_count;
end $$
