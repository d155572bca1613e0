-- Forgets the turns of lanes without ready tasks that come before p_first, which is the first with tasks that may be claimed, if there are many. Null if there is no such
-- lane. p_needs: only lanes whose tasks need one of these. Nobody whose tasks such a worker may get has had less than they, so they lose nothing: who waits again has the next turn
-- from then on. The caller is inside the gate.
create function waybill_forget_turns(p_queue text, p_needs text[], p_first turns) returns void language plpgsql as $$
declare
  v_until bigint := coalesce(p_first.at, 9223372036854775807);
  v_place bigint := coalesce(p_first.place, 0);
  v_empty tid[];
begin
  -- Most claims find few lanes there, and need not look into them.
  if :MOST_EMPTY > (
    select count(*) from unnest(p_needs) n cross join lateral (
      select from turns t where t.queue collate "C" = p_queue and t.needs = n and (t.at, t.place) < (v_until, v_place) limit :MOST_EMPTY) t) then return; end if;
  v_empty := array(
    select t.row from unnest(p_needs) n cross join lateral (
      select t.ctid as row, t.queue, t.lane from turns t where t.queue collate "C" = p_queue and t.needs = n and (t.at, t.place) < (v_until, v_place)) t
    where (select r.from_seq from ready r where r.queue = t.queue and r.lane = t.lane order by r.priority desc, r.from_seq limit 1) is null);
  if cardinality(v_empty) < :MOST_EMPTY then return; end if;
  -- So that no append sees the lane and leaves it out, while this does not see its task.
  perform pg_advisory_xact_lock(:LOG_LOCK);
  with forgotten as (
    delete from turns t where t.ctid = any (v_empty)
      and (select r.from_seq from ready r where r.queue = t.queue and r.lane = t.lane order by r.priority desc, r.from_seq limit 1) is null
    returning t.at)
  update laned l set at = greatest(l.at, (select max(f.at) from forgotten f)) where l.queue = p_queue;
end $$
