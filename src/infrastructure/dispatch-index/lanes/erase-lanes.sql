-- Forgets how far the limits and turns of labels are that no other task of their queue has: their rows name the labels, and outlast the tasks. The tasks
-- have ended. Whoever comes back with such a label may start a burst of its rate once more, and has the next turn.
--
-- Takes the gates of the queues in the order of their names, which nobody else does but another erasure, and then the other locks of a claim.
create function waybill_erase_lanes(p_tasks uuid[]) returns void language plpgsql as $$
declare
  v_queues text[];
  v_lanes text[];
  p_queue text;
begin
  if not exists (select from paces) and not exists (select from turns) then return; end if;
  select array_agg(o.queue), array_agg(o.label::text) into v_queues, v_lanes
    from (select distinct t.queue, jsonb_build_object(l.key, l.value) as label from known_tasks t cross join lateral jsonb_each(t.labels) l
      where t.task_id = any (p_tasks)) o
    where (exists (select from paces p where p.queue = o.queue and p.lane = o.label::text) or exists (select from turns w where w.queue = o.queue and w.value = o.label::text))
      and not exists (select from known_tasks k where k.queue = o.queue and k.labels @> o.label and k.task_id <> all (p_tasks));
  if v_queues is null then return; end if;
  for p_queue in select distinct q from unnest(v_queues) q order by q loop
    perform pg_advisory_xact_lock(:GATE_LOCK);
  end loop;
  perform pg_advisory_xact_lock_shared(:CLAIMS_LOCK);
  delete from paces p using unnest(v_queues, v_lanes) as o(queue, lane) where p.queue = o.queue and p.lane = o.lane;
  -- So that no append sees the turn and leaves its own out.
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from turns w using unnest(v_queues, v_lanes) as o(queue, lane) where w.queue = o.queue and w.value = o.lane
    and (select r.from_seq from ready r where r.queue = w.queue and r.lane = w.lane order by r.priority desc, r.from_seq limit 1) is null;
end $$
