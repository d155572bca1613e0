-- Forgets the turns of lanes that have no ready tasks any more. No lane with tasks had an earlier turn than p_at, so they lose nothing: who waits again
-- has the next turn from then on. The caller is inside the gate.
--
-- Under the log lock, so that no append sees the lane and leaves it out, while this does not see its task.
create function waybill_forget_turns(p_queue text, p_lanes text[], p_at bigint) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(:LOG_LOCK);
  delete from turns t where t.queue = p_queue and t.lane = any (p_lanes)
    and (select r.from_seq from ready r where r.queue = t.queue and r.lane = t.lane order by r.priority desc, r.from_seq limit 1) is null;
  update laned set at = greatest(at, p_at) where queue = p_queue;
end $$
