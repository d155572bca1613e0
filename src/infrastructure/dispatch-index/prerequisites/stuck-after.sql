-- Of the next page of an operation after p_page that has any, the aborted tasks that wait for what is aborted. The tasks of its last checkpoint are the last page.
-- Each page is looked at once, and by the indexes, as in waybill_waiters_after.
create function waybill_stuck_after(p_operation uuid, p_page int) returns table (page int, tasks uuid[])
language plpgsql stable set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  o record;
begin
  for o in
    select t.page as at, t.tasks as taken from operation_tasks t where t.operation = p_operation and t.page > p_page
    union all
    select c.at, array(select jsonb_array_elements_text(c.checkpoint->'tasks'))::uuid[]
      from (select coalesce((b.checkpoint->>'page')::int, 0) as at, b.checkpoint from bulk_checkpoints b where b.task_id = p_operation) c where c.at > p_page
    order by 1
  loop
    page := o.at;
    tasks := array(select n.id from unnest(o.taken) as n(id)
      where (select k.state from known_tasks k where k.task_id = n.id) = 'aborted'
        and exists (select from prerequisites p where p.task_id = n.id and not p.ignore
          and p.reservation is null and waybill_prerequisite_state(p.needs) = 'aborted'));
    if tasks <> '{}' then
      return next;
      return;
    end if;
  end loop;
end $$
