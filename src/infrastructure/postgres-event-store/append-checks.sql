-- The first phase of an append: the revisions of the streams that no task's row tells in a later phase, the revisions of
-- the queues by which items were decided, and the other conditions. Adds to 'problems' and, by their items, to 'bad'.
create function waybill_append_checks(
  p_segments waybill_segment[], p_kinds waybill_event_kind[], p_checks waybill_check[], p_guards waybill_queue_guard[], p_conditions jsonb, p_head bigint,
  inout problems jsonb, inout bad int[]
) language plpgsql as $$
declare
  v_problem jsonb;
  r record;
begin
  for r in
    select c.*, coalesce(t.revision, a.revision, x.revision, -1) as actual, a.revision as archived
    from unnest(p_checks) as c
    left join tasks t on t.task_id = c.stream
    left join lateral (
      select a.revision from tasks_archive a where t.task_id is null and a.task_id = c.stream) a on true
    left join lateral (
      select coalesce(s.revisions[1], 0) as revision from segments s
      where t.task_id is null and s.category <> 'task' and s.streams[1] = c.stream
      order by coalesce(s.revisions[1], 0) desc limit 1) x on true
    where coalesce(t.revision, x.revision, -1) <> c.base or a.revision is not null
  loop
    -- An item before this one may have brought the row back.
    continue when r.archived = r.base
      and (waybill_restore(array[r.stream]) = 1 or exists (select from tasks t where t.task_id = r.stream));
    v_problem := null;
    if r.base < 0 then
      select waybill_id_taken(r.stream, (p_kinds[s.kind]).category) into v_problem from unnest(p_segments) as s where r.item = any (s.items) limit 1;
    end if;
    problems := problems || coalesce(v_problem || jsonb_build_object('i', r.item), waybill_stale(r.item, p_segments, r.first, r.last, r.actual));
    bad := bad || r.item;
  end loop;

  for r in
    select g.items, jsonb_build_object('queue', jsonb_build_object('name', g.name, 'revision', g.revision)) as m
    from unnest(p_guards) as g left join queues q on q.name = g.name where q.revision is distinct from g.revision
  loop
    v_problem := waybill_guard_problem(r.m);
    select problems || coalesce(jsonb_agg(v_problem || jsonb_build_object('i', i)), '[]'), bad || coalesce(array_agg(i), '{}')
      into problems, bad from unnest(r.items) as i where i <> all (bad);
  end loop;

  if p_conditions is not null then
    for r in select m, (m->>'i')::int as i from jsonb_array_elements(p_conditions) as m where (m->>'i')::int <> all (bad) loop
      v_problem := waybill_guard_problem(r.m, p_head + (r.m->>'last')::int);
      if v_problem is not null then
        problems := problems || (v_problem || jsonb_build_object('i', r.i));
        bad := bad || r.i;
      end if;
    end loop;
  end if;
end $$
