-- Mends a place outside the lane that contradicts its task. A task of p_kept keeps it, but is not let go until somebody has
-- repaired its row. Returns the queues that now may have tasks to give out; null if nothing was wrong any more.
create function waybill_mend_waiting(p_task uuid, p_kept uuid[]) returns text[] language plpgsql as $$
declare
  w waiting;
  t tasks;
  v_problem text;
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  select * into w from waiting where task_id = p_task;
  v_problem := waybill_waiting_problem(w);
  if v_problem is null or w.task_id is null then return null; end if;
  perform waybill_count_mended('waiting');
  if v_problem = 'blockers' then
    update waiting set blockers = waybill_place_blockers(w) where task_id = p_task returning * into w;
    if w.blockers > 0 then return '{}'; end if;
    delete from waiting where task_id = p_task;
    return waybill_place_unblocked(array[w], clock_timestamp());
  end if;
  if p_task = any (p_kept) then
    update waiting set gate = 'quarantined', blockers = 0, staged = null where task_id = p_task;
  else
    delete from waiting where task_id = p_task;
    if v_problem in ('place', 'gate') then
      select * into t from tasks where task_id = p_task;
      return waybill_place_anew(t) || w.queue;
    end if;
  end if;
  return array[w.queue];
end $$
