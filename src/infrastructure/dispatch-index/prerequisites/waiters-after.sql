-- The next aborted tasks that wait for those of an operation, by its pages: of the first page, from p_page on, that has any, those after p_task; all if it is null.
-- By the indexes, whatever the planner knows: after many tasks were made, it took the tables for small, and read them whole for each task of a page.
create function waybill_waiters_after(p_operation uuid, p_page int, p_task uuid, p_max int) returns table (page int, tasks uuid[])
language plpgsql stable set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  o operation_tasks;
begin
  for o in select * from operation_tasks t where t.operation = p_operation and t.page >= p_page order by t.page loop
    page := o.page;
    tasks := array(select distinct w.task_id from unnest(o.tasks) as n(id)
      -- 'offset 0': from each task to those that wait for it, not through all that wait, in the order of the answer.
      cross join lateral (select p.task_id from prerequisites p where p.needs = n.id and not p.ignore and p.reservation is null
        and (o.page > p_page or p_task is null or p.task_id > p_task) offset 0) w
      where exists (select from known_tasks k where k.task_id = w.task_id and k.state = 'aborted')
      order by w.task_id limit p_max);
    if tasks <> '{}' then
      return next;
      return;
    end if;
  end loop;
end $$
