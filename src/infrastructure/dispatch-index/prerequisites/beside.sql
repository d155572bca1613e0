-- One step of a walk: what waits for a task or batch, or what it waits for.
create function waybill_beside(p_id uuid, p_back boolean) returns setof uuid language sql stable as $$
  select w.id from waybill_open_waiters(p_id) as w(id) where p_back
  union all
  select n.id from waybill_open_needs(p_id) as n(id) where not p_back
$$
