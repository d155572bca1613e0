-- All that waits for p_from, or that it waits for, over any number of steps, in the order of the steps; each edge is visited once. Null if
-- that is more than p_most visits of the append. The walk ends at p_to and, if p_of is not null, at the tasks of this batch.
create function waybill_walk(p_from uuid[], p_to uuid[], p_back boolean, p_of uuid, p_most int) returns uuid[] language plpgsql as $$
declare
  v_nodes uuid[];
begin
  with recursive walk (node) as (
    select f.id from unnest(p_from) as f(id)
    union
    select o.id from walk w cross join lateral waybill_beside(w.node, p_back) as o(id)
    where w.node <> all (p_to)
      and (p_of is null or not exists (select from tasks t where t.task_id = w.node and t.batch = p_of)
        and not exists (select from reservations r where r.stream = w.node and r.batch = p_of))
      and waybill_visit(p_most))
  select array_agg(w.node) into v_nodes from walk w;
  return v_nodes;
exception when sqlstate 'WB006' then
  -- The count went back with the walk.
  perform set_config('waybill.visits', p_most::text, true);
  return null;
end $$
