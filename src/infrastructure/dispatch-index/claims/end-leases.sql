-- Tasks no longer point to these leases, each of which is listed once per task. A lease ends with its last task.
create function waybill_end_leases(p_leases bigint[]) returns void language plpgsql as $$
declare
  v_left bigint[];
  v_gone bigint[];
begin
  with ended as materialized (select id, count(*) as n from unnest(p_leases) as e(id) group by id),
  gone as (delete from leases l using ended e where l.id = e.id and l.open <= e.n returning l.id)
  select array_agg(e.id) into v_left from ended e where e.id not in (select g.id from gone g);
  if v_left is not null then
    with counted as (
      update leases l set open = l.open - e.n
        from (select id, count(*) as n from unnest(p_leases) as e(id) where id = any (v_left) group by id) as e where l.id = e.id
        returning l.id, l.open)
    select array_agg(c.id) into v_gone from counted c where c.open <= 0;
    -- A heartbeat gave its other tasks a lease of their own meanwhile.
    if v_gone is not null then delete from leases where id = any (v_gone); end if;
  end if;
end $$
