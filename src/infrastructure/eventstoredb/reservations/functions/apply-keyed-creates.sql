-- Applies the new tasks p_tasks, whose keys others have. Behind one that runs or comes before it, a new one only lines up.
-- p_staged: batches whose tasks must not run. Returns the other tasks, which are moved one by one and counted in their batches.
create function waybill_apply_keyed_creates(p_creates jsonb, p_tasks uuid[], p_staged uuid[]) returns uuid[] language plpgsql as $$
declare
  r record;
  v_lined_up uuid[];
  v_problem jsonb;
begin
  with lined_up as materialized (
    select c.* from jsonb_to_recordset(p_creates) as c(task uuid, queue text, batch uuid, kind text, key text, priority int, labels jsonb,
        description text, due timestamptz, step text, position bigint, revision int, at timestamptz)
      cross join lateral (select s.running, s.ready from key_slots s where s.queue = c.queue and s.key = c.key offset 0) s
    where c.task = any (p_tasks) and (c.due is null or c.due <= c.at) and (c.batch is null or c.batch <> all (p_staged))
      and (s.running is not null or (select t.priority from tasks t where t.task_id = s.ready) >= c.priority)
      and (select q.policy->>'duplicatePending' from queues q where q.name = c.queue) = 'allow'),
  created as (
    insert into tasks (task_id, queue, state, batch, kind, key, priority, labels, description, due_at, enqueued_at, attempt, seq, position, revision, step)
      select c.task, c.queue, 'pending', c.batch, c.kind, c.key, c.priority, c.labels, c.description, c.due, c.at, 0, c.position, c.position, c.revision, c.step
      from lined_up c),
  lines as (
    insert into waiting (task_id, queue, gate, due_at, key, priority, place)
      select c.task, c.queue, 'key', c.due, c.key, c.priority, c.position from lined_up c)
  select coalesce(array_agg(c.task), '{}') into v_lined_up from lined_up c;
  for r in
    select * from jsonb_to_recordset(p_creates) as c(task uuid, queue text, batch uuid, kind text, key text, priority int, labels jsonb,
      description text, due timestamptz, step text, position bigint, revision int, at timestamptz)
    where c.task = any (p_tasks) and c.task <> all (v_lined_up)
  loop
    v_problem := waybill_move(jsonb_build_object('state', 'pending', 'moved', true, 'recorded', true,
        'create', jsonb_build_object('queue', r.queue, 'kind', r.kind, 'key', r.key, 'labels', r.labels, 'description', r.description, 'batch', r.batch, 'step', r.step),
        'patch', jsonb_build_object('state', 'pending', 'priority', r.priority, 'due_at', r.due)),
      r.task, r.position, r.position, r.revision, r.at);
    if v_problem is not null then
      raise exception using errcode = 'WB002', message = 'the dispatch index refuses it: ' || v_problem::text;
    end if;
  end loop;
  return array(select unnest(p_tasks) except select unnest(v_lined_up));
end $$
