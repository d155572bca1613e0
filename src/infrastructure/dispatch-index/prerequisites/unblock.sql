-- Unblocks the tasks that wait for what has ended, up to p_max at once, and notes what remains to be done about the
-- others. Returns the queues that now have tasks to give out.
--
-- A place that counts less than was shut is wrong. It stays, and is mended by itself: nobody's append fails for it.
--
-- A bitmap scan would walk over all prerequisites of a chunk's task each time.
create function waybill_unblock(p_ended uuid[], p_now timestamptz, p_max int default 1000) returns text[]
language plpgsql set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  v_freed waiting[];
  v_shut int;
begin
  with ended as materialized (
    select e.id, waybill_prerequisite_state(e.id) as state from unnest(p_ended) as e(id)),
  chosen as (
    select p.ctid as place from ended e join prerequisites p on p.needs = e.id and not p.closed
    where p.reservation is null and waybill_is_closed(e.state, p.ignore) limit p_max),
  shut as (
    update prerequisites p set closed = true where p.ctid = any (array(select c.place from chosen c)) returning p.task_id),
  fewer as materialized (select s.task_id, count(*)::int as n from shut s group by s.task_id),
  freed as (
    delete from waiting w using fewer f where w.task_id = f.task_id and w.blockers = f.n and w.gate = 'blocked' returning w as task),
  counted as (
    update waiting w set blockers = greatest(w.blockers - f.n, 0) from fewer f where w.task_id = f.task_id and (w.blockers <> f.n or w.gate <> 'blocked'))
  select (select count(*) from shut), (select array_agg(f.task) from freed f) into v_shut, v_freed;
  insert into consequences (id, what)
    select e.id, 'unblock' from unnest(p_ended) as e(id) where v_shut = p_max and exists (
      select from prerequisites p where p.needs = e.id and not p.closed and p.reservation is null
        and waybill_is_closed(waybill_prerequisite_state(e.id), p.ignore))
    union all
    select e.id, 'abort' from unnest(p_ended) as e(id) where waybill_prerequisite_state(e.id) = 'aborted' and exists (
      select from prerequisites p where p.needs = e.id and not p.closed and not p.ignore)
    on conflict do nothing;
  return waybill_place_unblocked(v_freed, p_now);
end $$
