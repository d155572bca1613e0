-- Why a task cannot wait for these prerequisites; null if it can. A task of a deleted batch counts as deleted unless it
-- succeeded. A task is in no cycle if nothing waits for it or for its batch. p_exists: whether the task is not a new one.
-- p_after: 'add' has the prerequisites, 'request' tells whose they are.
-- p_begun: new tasks that are not in the index yet, but certainly before this one.
create function waybill_prerequisites_problem(p_task uuid, p_batch uuid, p_exists boolean, p_after jsonb, p_begun uuid[] default '{}') returns jsonb language plpgsql as $$
declare
  v_named jsonb := p_after->'add';
  r record;
begin
  select n.needs, n.is_batch, s.state into r
    from waybill_named_prerequisites(v_named) n left join known_tasks t on t.task_id = n.needs left join batches b on b.id = t.batch
      cross join lateral (select case when n.is_batch then (select o.state from batches o where o.id = n.needs)
        when b.state = 'deleted' and t.state not in ('succeeded', 'superseded') then 'deleted' else t.state end) as s(state)
    where n.needs <> p_task and n.needs <> all (p_begun) and (s.state is null or s.state = 'deleted' or s.state = 'aborted' and not n.ignore) limit 1;
  if found then
    return jsonb_build_object('kind', 'refused', 'prerequisite', r.needs) || case when r.state is null
      then jsonb_build_object('constraint', 'prerequisite-not-found')
        || case when waybill_prerequisite_state(r.needs) is null then '{}' else jsonb_build_object('is', case when r.is_batch then 'task' else 'batch' end) end
      else jsonb_build_object('constraint', 'prerequisite-dead', 'state', r.state) end;
  end if;
  if exists (select from prerequisites p where p.needs in (p_task, p_batch) and not p.closed)
      or p_exists and exists (select from batches b where b.planner = p_task and b.state = 'planning')
      or exists (select from waybill_named_prerequisites(v_named) n where n.needs in (p_task, p_batch)) then
    return waybill_prerequisite_cycle(p_task, p_batch, p_exists, v_named, p_after->>'request');
  end if;
  return null;
end $$
