-- Lets up to p_max tasks of an opened batch go, in the order in which they were added, and notes if there are more.
-- Returns the queues that now have tasks to give out.
create function waybill_open_batch(p_batch uuid, p_now timestamptz, p_max int default 1000) returns text[]
language plpgsql set enable_bitmapscan = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_freed waiting[];
  v_chosen int;
begin
  with chosen as materialized (
    select w.ctid as place, w.blockers > 1 or w.gate <> 'blocked' as stays from waiting w where w.staged = p_batch order by w.place limit p_max),
  freed as (
    delete from waiting w where w.ctid = any (array(select c.place from chosen c where not c.stays)) returning w as task),
  kept as (
    update waiting w set staged = null, blockers = greatest(w.blockers - 1, 0) where w.ctid = any (array(select c.place from chosen c where c.stays)))
  select (select count(*) from chosen), (select array_agg(f.task) from freed f) into v_chosen, v_freed;
  if v_chosen = p_max then insert into consequences (id, what) values (p_batch, 'open') on conflict do nothing; end if;
  return waybill_place_unblocked(v_freed, p_now);
end $$
