-- Changes what a task waits for: p_change has what to add and the ids to waive.
create function waybill_arrange(p_task uuid, p_change jsonb) returns void language plpgsql as $$
begin
  with waived as (
    delete from prerequisites where task_id = p_task and needs in (select value::uuid from jsonb_array_elements_text(p_change->'waive'))
    returning needs),
  archived as (
    update tasks_archive a set awaited = false from waived w
      where a.task_id = w.needs and not exists (select from prerequisites p where p.needs = w.needs and p.task_id <> p_task))
  update tasks t set awaited = false from waived w
    where t.task_id = w.needs and not exists (select from prerequisites p where p.needs = w.needs and p.task_id <> p_task);
  insert into prerequisites as p (task_id, needs, ignore, closed)
    select p_task, n.needs, n.ignore, coalesce(waybill_is_closed(waybill_prerequisite_state(n.needs), n.ignore), false)
    from waybill_named_prerequisites(p_change->'add') n
    on conflict (task_id, needs) do update set ignore = excluded.ignore, closed = p.closed or excluded.closed, reservation = null;
  update tasks set awaited = true where not awaited and task_id in (select needs from prerequisites where task_id = p_task);
  update tasks_archive set awaited = true where not awaited and task_id in (select needs from prerequisites where task_id = p_task);
  update batches set awaited = true where not awaited and id in (select needs from prerequisites where task_id = p_task);
  -- If the events are in another store, the prerequisite may have been aborted meanwhile.
  insert into consequences (id, what)
    select p.needs, 'abort' from prerequisites p where p.task_id = p_task and not p.closed and waybill_prerequisite_state(p.needs) = 'aborted'
    on conflict do nothing;
end $$
