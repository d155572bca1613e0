-- Makes due tasks ready, the first in line first, until p_max are ready, at one of p_steps if these are not null. Only ready ones count, because a task whose
-- key is busy must not keep others from running. Leaves places behind which there is no pending task. The caller must hold the log lock.
create function waybill_promote(p_queue text, p_now timestamptz, p_max int, p_steps text[]) returns void language plpgsql as $$
declare
  w waiting;
  v_ready int := 0;
  v_seen int;
begin
  loop
    v_seen := 0;
    for w in select * from waiting d where queue = p_queue and gate = 'due' and due_at <= p_now
        and exists (select from tasks t where t.task_id = d.task_id and t.state = 'pending')
      order by priority desc, place limit greatest(p_max, 1000) loop
      delete from waiting where task_id = w.task_id;
      -- It may have kept a task with a higher priority from its key.
      perform waybill_next_of_key(null, w.queue, w.key) where w.key is not null;
      if waybill_offer(w.task_id, w.queue, w.key, w.priority, w.place, null, 0, null, p_now)
          and (p_steps is null or (select t.step from tasks t where t.task_id = w.task_id) = any (p_steps)) then v_ready := v_ready + 1; end if;
      v_seen := v_seen + 1;
    end loop;
    exit when v_seen = 0 or v_ready >= p_max;
  end loop;
end $$
