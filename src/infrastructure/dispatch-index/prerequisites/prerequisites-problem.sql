-- Why a task cannot wait for these prerequisites; null if it can. A task of a deleted batch counts as deleted unless it
-- succeeded. p_exists: a new task is in no cycle, because nothing waits for it yet, unless something waits for its batch.
-- p_begun: new tasks that are not in the index yet, but certainly before this one.
create function waybill_prerequisites_problem(p_task uuid, p_batch uuid, p_exists boolean, p_named jsonb, p_begun uuid[] default '{}') returns jsonb language plpgsql stable as $$
declare
  r record;
  v_cycle uuid[];
begin
  select n.needs, n.is_batch, s.state into r
    from waybill_named_prerequisites(p_named) n left join known_tasks t on t.task_id = n.needs left join batches b on b.id = t.batch
      cross join lateral (select case when n.is_batch then (select o.state from batches o where o.id = n.needs)
        when b.state = 'deleted' and t.state not in ('succeeded', 'superseded') then 'deleted' else t.state end) as s(state)
    where n.needs <> p_task and n.needs <> all (p_begun) and (s.state is null or s.state = 'deleted' or s.state = 'aborted' and not n.ignore) limit 1;
  if found then
    return jsonb_build_object('kind', 'refused', 'prerequisite', r.needs) || case when r.state is null
      then jsonb_build_object('constraint', 'prerequisite-not-found')
        || case when waybill_prerequisite_state(r.needs) is null then '{}' else jsonb_build_object('is', case when r.is_batch then 'task' else 'batch' end) end
      else jsonb_build_object('constraint', 'prerequisite-dead', 'state', r.state) end;
  end if;
  if p_exists or exists (select from prerequisites p where p.needs = p_batch and not p.closed)
      or exists (select from waybill_named_prerequisites(p_named) n where n.needs in (p_task, p_batch)) then
    v_cycle := waybill_prerequisite_cycle(p_task, p_batch, p_exists, p_named);
  end if;
  if v_cycle is not null then
    return jsonb_build_object('kind', 'refused', 'constraint', 'prerequisite-cycle', 'cycle', to_jsonb(v_cycle));
  end if;
  return null;
end $$
