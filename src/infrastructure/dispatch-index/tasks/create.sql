-- Creates tasks, many at once, that have no reference, wait for no others, and are not held: their rows, their places, and the slots of their
-- keys. The task with the number 'first' has its event at the position and the time of this number in p_positions and p_times; if these are
-- null, it is so far behind p_head, and at p_now. Leaves out the items of p_bad. p_keyed: whether any has a key. p_batches: the batches
-- of those that have one; null if none has. Returns the problems of those that cannot be created because of their key.
create function waybill_create(
  p_creates waybill_create[], p_head bigint, p_positions bigint[], p_now timestamptz, p_times timestamptz[], p_bad int[],
  p_keyed boolean, p_batches uuid[], out problems jsonb, out bad int[]
) language plpgsql as $$
#variable_conflict use_column
declare
  v_slow int[] := '{}';
  -- Batches whose tasks must not run.
  v_staged uuid[] := '{}';
  v_problem jsonb;
  r record;
begin
  problems := '[]';
  bad := '{}';
  if p_batches is not null then v_staged := waybill_staged(p_batches); end if;
  if p_keyed then
    -- A key that no other task has gets its slot here. The others are handled one by one below.
    with keyed as materialized (
      select c.*, case when (select q.policy->>'duplicatePending' from queues q where q.name = c.queue) not in ('allow', 'gather') then c.task end as place
      from unnest(p_creates) as c
      where c.key is not null and c.item <> all (p_bad)),
    fresh as (
      insert into key_slots (queue, key, waiting, ready)
        select distinct on (k.queue, k.key) k.queue, k.key, k.place, k.task from keyed k
        where (k.due is null or k.due <= coalesce(p_times[k.first], p_now)) and (k.batch is null or k.batch <> all (v_staged))
          and (select s.ctid from key_slots s where s.queue = k.queue and s.key = k.key) is null
          and (select w.task_id from waiting w where w.queue = k.queue and w.key = k.key limit 1) is null
          -- If tasks line up, a failed one may block the key.
          and (k.place is not null or (select f.task_id from key_failures f where f.queue = k.queue and f.key = k.key limit 1) is null)
        order by k.queue, k.key, k.first
        returning ready)
    select coalesce(array_agg(k.item), '{}') into v_slow from keyed k where k.task not in (select f.ready from fresh f);
  end if;
  with created as (
    insert into tasks (task_id, queue, state, kind, key, priority, labels, description, due_at, enqueued_at, attempt, seq, position, revision, batch, step)
      select c.task, c.queue, 'pending', c.kind, c.key, c.priority, c.labels::jsonb, c.description, c.due, coalesce(p_times[c.first], p_now), 0,
        coalesce(p_positions[c.first], p_head + c.first), coalesce(p_positions[c.first], p_head + c.first), 0, c.batch, c.step
      from unnest(p_creates) as c
      where c.item <> all (p_bad) and c.item <> all (v_slow)
      returning task_id, queue, key, priority, labels, needs, due_at, enqueued_at, seq, batch, step),
  ready_now as materialized (
    select t.*, :LANE as lane, t.seq - row_number() over (partition by t.queue, t.priority, t.step, t.key is null order by t.seq) as run
    from created t where (t.due_at is null or t.due_at <= t.enqueued_at) and (t.batch is null or t.batch <> all (v_staged))),
  made_ready as (
    insert into ready (queue, priority, from_seq, to_seq, task_id, step, lane)
      select y.queue, y.priority, min(y.seq), max(y.seq), null, y.step, null from ready_now y where y.key is null and y.lane is null and p_positions is null
      -- Extents stay short, so that a claim of one task does not lock many others. Most cover the tasks of one
      -- segment.
      group by y.queue, y.priority, y.step, y.run, (y.seq - p_head - 1) / 64
    union all
      -- Positions with gaps make no extents.
      select y.queue, y.priority, y.seq, y.seq, y.task_id, y.step, y.lane from ready_now y where y.key is not null or y.lane is not null or p_positions is not null
    returning queue, lane, from_seq),
  in_turn as (:BEGIN_TURNS)
  insert into waiting (task_id, queue, gate, due_at, priority, place, blockers, staged)
    select c.task_id, c.queue, case when c.batch = any (v_staged) then 'blocked' else 'due' end, c.due_at, c.priority, c.seq,
      case when c.batch = any (v_staged) then 1 else 0 end, case when c.batch = any (v_staged) then c.batch end
    from created c where c.due_at > c.enqueued_at or c.batch = any (v_staged);
  if cardinality(v_slow) > 0 then
    -- Behind a task of its key that runs or comes before it, a new one only lines up.
    with lined_up as materialized (
      select c.*, coalesce(p_positions[c.first], p_head + c.first) as position, coalesce(p_times[c.first], p_now) as at
      from unnest(p_creates) as c cross join lateral (select s.running, s.ready from key_slots s where s.queue = c.queue and s.key = c.key offset 0) s
      where c.item = any (v_slow) and (c.due is null or c.due <= coalesce(p_times[c.first], p_now)) and (c.batch is null or c.batch <> all (v_staged))
        and (s.running is not null or (select t.priority from tasks t where t.task_id = s.ready) >= c.priority)
        and (select q.policy->>'duplicatePending' from queues q where q.name = c.queue) = 'allow'),
    created as (
      insert into tasks (task_id, queue, state, kind, key, priority, labels, description, due_at, enqueued_at, attempt, seq, position, revision, batch, step)
        select c.task, c.queue, 'pending', c.kind, c.key, c.priority, c.labels::jsonb, c.description, c.due,
          c.at, 0, c.position, c.position, 0, c.batch, c.step
        from lined_up c),
    lines as (
      insert into waiting (task_id, queue, gate, due_at, key, priority, place)
        select c.task, c.queue, 'key', c.due, c.key, c.priority, c.position from lined_up c)
    select array(select unnest(v_slow) except select c.item from lined_up c) into v_slow;
    for r in
      select c.*, coalesce(p_positions[c.first], p_head + c.first) as position, coalesce(p_times[c.first], p_now) as at
      from unnest(p_creates) as c where c.item = any (v_slow)
    loop
      v_problem := waybill_move(jsonb_populate_record(null::waybill_move, :PLACED || jsonb_build_object(
            'created', jsonb_build_object('queue', r.queue, 'kind', r.kind, 'key', r.key, 'labels', r.labels::jsonb, 'description', r.description, 'batch', r.batch, 'step', r.step),
            'patch', jsonb_build_object('state', 'pending', 'priority', r.priority, 'due_at', r.due))),
        r.task, r.position, r.position, 0, r.at, p_positions is not null);
      if v_problem is not null then
        problems := problems || (v_problem || jsonb_build_object('i', r.item));
        bad := bad || r.item;
      end if;
    end loop;
  end if;
  if p_batches is not null then
    perform waybill_count_members(c.batch, null, 'pending', count(*)::int) from unnest(p_creates) as c
      where c.batch is not null and c.item <> all (p_bad) and c.item <> all (v_slow) group by c.batch;
  end if;
end $$
