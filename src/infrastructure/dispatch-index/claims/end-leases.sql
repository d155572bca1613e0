-- Tasks no longer point to these leases, each of which is listed once per task. A lease ends with its last task.
create function waybill_end_leases(p_leases bigint[]) returns void language plpgsql as $$
declare
  v_left bigint[];
begin
  with ended as materialized (select id, count(*) as n from unnest(p_leases) as e(id) group by id),
  gone as (delete from leases l using ended e where l.id = e.id and l.open <= e.n returning l.id)
  select array_agg(e.id) into v_left from ended e where e.id not in (select g.id from gone g);
  if v_left is not null then
    update leases l set open = l.open - e.n
      from (select id, count(*) as n from unnest(p_leases) as e(id) where id = any (v_left) group by id) as e where l.id = e.id;
  end if;
end $$
