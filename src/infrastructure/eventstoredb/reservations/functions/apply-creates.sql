-- Applies new tasks that have neither a key nor a reference and are not held.
create function waybill_apply_creates(p_creates jsonb) returns void language sql as $$
  with c as materialized (
    select * from jsonb_to_recordset(p_creates) as c(task uuid, queue text, kind text, priority int, labels jsonb,
      description text, due timestamptz, step text, position bigint, revision int, at timestamptz, history text)),
  created as (
    insert into tasks (task_id, queue, state, kind, priority, labels, description, due_at, enqueued_at, attempt, seq, position, revision, step)
      select c.task, c.queue, 'pending', c.kind, c.priority, c.labels, c.description, c.due, c.at, 0, c.position, c.position, c.revision, c.step from c),
  kept as (
    insert into open_histories (task_id, revision, events) select c.task, c.revision, c.history from c),
  offered as (
    insert into ready (queue, priority, from_seq, to_seq, task_id, step)
      select c.queue, c.priority, c.position, c.position, c.task, c.step from c where c.due is null or c.due <= c.at)
  insert into waiting (task_id, queue, gate, due_at, priority, place)
    select c.task, c.queue, 'due', c.due, c.priority, c.position from c where c.due > c.at
$$
