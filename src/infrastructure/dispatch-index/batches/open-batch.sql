-- Lets up to p_max tasks of an opened batch go, and notes if there are more. Returns the queues that now have tasks to
-- give out.
create function waybill_open_batch(p_batch uuid, p_now timestamptz, p_max int default 1000) returns text[] language plpgsql as $$
declare
  v_tasks uuid[] := array(select w.task_id from waiting w where w.staged = p_batch limit p_max);
  v_free uuid[];
begin
  update waiting w set staged = null, blockers = w.blockers - 1
    where w.task_id = any (v_tasks) and (w.blockers > 1 or w.gate <> 'blocked');
  v_free := array(select w.task_id from waiting w where w.task_id = any (v_tasks) and w.staged is not null);
  if cardinality(v_tasks) = p_max then insert into consequences (id, what) values (p_batch, 'open') on conflict do nothing; end if;
  return waybill_let_go(v_free, p_now);
end $$
