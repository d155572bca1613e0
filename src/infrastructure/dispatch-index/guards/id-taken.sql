-- Why nothing new of this category can have the id: a task and a batch share their ids, by which other tasks name them,
-- and one of the other kind has it. Null if it is free.
create function waybill_id_taken(p_id uuid, p_category text) returns jsonb language sql stable as $$
  select jsonb_build_object('kind', 'refused', 'constraint', 'id-taken')
  where case p_category
    when 'task' then exists (select from batches b where b.id = p_id)
    when 'batch' then exists (select from known_tasks t where t.task_id = p_id) end
$$
