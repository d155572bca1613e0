-- The shortest way of a walk that ended at p_to: from one of p_from to p_end.
create function waybill_path(p_nodes uuid[], p_from uuid[], p_to uuid[], p_back boolean, p_end uuid) returns uuid[] language plpgsql stable as $$
declare
  v_nodes uuid[];
  v_before uuid[];
  v_path uuid[] := array[p_end];
begin
  select array_agg(e.node), array_agg(e.before) into v_nodes, v_before from (
    select distinct on (o.id) o.id as node, w.id as before
    from unnest(p_nodes) with ordinality as w(id, step) cross join lateral waybill_beside(w.id, p_back) as o(id)
    where w.id <> all (p_to)
    order by o.id, w.step) as e;
  while v_path[1] <> all (p_from) loop
    v_path := v_before[array_position(v_nodes, v_path[1])] || v_path;
  end loop;
  return v_path;
end $$
