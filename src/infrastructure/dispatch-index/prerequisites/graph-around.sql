-- The ids of the tasks and batches that a task waits for or that wait for it, over up to p_depth steps (null: all), level by level and by
-- id, up to about p_max. What is next to a level is in the level before it, in itself or in the next one, so only these are looked at again.
create function waybill_graph_around(p_id uuid, p_depth int, p_max int) returns uuid[] language plpgsql stable
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  v_all uuid[] := array[p_id];
  v_before uuid[] := '{}';
  v_last uuid[] := v_all;
  v_next uuid[];
begin
  for v_step in 1 .. coalesce(p_depth, p_max) loop
    v_next := array(
      (select p.needs from unnest(v_last) as l(id) join prerequisites p on p.task_id = l.id
       union select p.task_id from unnest(v_last) as l(id) join prerequisites p on p.needs = l.id)
      except select i.id from unnest(v_last || v_before) as i(id) order by 1 limit p_max);
    exit when cardinality(v_next) = 0;
    v_all := v_all || v_next;
    exit when cardinality(v_all) > p_max;
    v_before := v_last;
    v_last := v_next;
  end loop;
  return v_all;
end $$
