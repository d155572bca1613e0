-- The ids of a cycle that these prerequisites of a task would close, each followed by what it waits for; null if there
-- is none. Whatever waits for the task's batch waits for the task. Other appends cannot close one meanwhile, because the caller holds the log lock.
-- p_exists: nothing waits for a new task but what waits for its batch. No task of that leads back to it, so the look ends there: otherwise
-- a chain of tasks in a batch would be walked again for each of them.
create function waybill_prerequisite_cycle(p_task uuid, p_batch uuid, p_exists boolean, p_named jsonb) returns uuid[] language plpgsql stable as $$
declare
  v_nodes uuid[];
  v_before uuid[];
  v_cycle uuid[] := '{}';
  v_at uuid;
begin
  with recursive walk (node, before) as (
    select n.needs, p_task from waybill_named_prerequisites(p_named) n
    union
    select o, w.node from walk w cross join lateral waybill_open_needs(w.node) o
    where w.node <> p_task and w.node is distinct from p_batch
      and (p_exists or not exists (select from tasks t where t.task_id = w.node and t.batch = p_batch)
        and not exists (select from reservations r where r.stream = w.node and r.batch = p_batch)))
  select array_agg(node), array_agg(before) into v_nodes, v_before from walk;
  v_at := v_before[coalesce(array_position(v_nodes, p_task), array_position(v_nodes, p_batch))];
  if v_at is null then return null; end if;
  if p_batch = any (v_nodes) and p_task <> all (v_nodes) then v_cycle := array[p_batch]; end if;
  while v_at <> p_task loop
    v_cycle := v_at || v_cycle;
    v_at := v_before[array_position(v_nodes, v_at)];
  end loop;
  return p_task || v_cycle;
end $$
